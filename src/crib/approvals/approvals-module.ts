import type { EventClass } from '../../contract/unions.js'
import type { StreamEntry } from '../../storage/journal/journal.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import type { CallsPort } from '../calls/calls-module.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { SourcesPort } from '../catalog/sources-module.js'
import type { Crib } from '../crib.js'
import type { PipelinePort } from '../pipeline-module.js'
import type { OptionsPort } from '../record-module.js'
import type { OwnerPort } from '../recovery/owner-module.js'
import { createApprovalsApi } from './approvals-api.js'
import { claimCalls } from './claim-calls.js'
import { createAnswerChannels } from './deliveries/answer-channels.js'
import { createDeliveries } from './deliveries/deliveries.js'
import type { Questions, QuestionsPort } from './questions-module.js'

/** The death of an owner and the expiry of an approval write nothing to the store. */
const POLL_MS = 5_000

/** The API of approvals, and the resumption of approved calls of dead processes. */
export function openApprovals(
  ports: OptionsPort &
    ClosingPort &
    OwnerPort &
    CatalogPort &
    QuestionsPort &
    SourcesPort &
    PipelinePort &
    CallsPort,
): CribModule<object, Pick<Crib, 'approvals'>> {
  const { options, ownerId, agents, questions, live, closing } = ports
  const { parts, changes } = questions
  const { store } = parts
  const mayClaim = options.approvals?.claim ?? true
  const record = recordBeside(parts, ownerId)
  const claims = claimCalls({
    ...parts,
    pipeline: ports.pipeline,
    agents,
    ownerId,
    live,
    mayClaim,
    closing,
    onPending: (approval) => approval.form && deliveries.follow(approval),
  })
  const { api, control } = createApprovalsApi(claims.parts, { questions, claims, record })
  const channels = createAnswerChannels({ ...parts, answer: control.answerFromChannel })
  const deliveries = createDeliveries({ ...claims.parts, channels, record, onReminder: control.remind })
  let poll: NodeJS.Timeout | undefined
  let stopFollowing: (() => void) | undefined

  /** An approved call may need a tool that has just come into the catalog. */
  function lookAgain(): void {
    if (mayClaim && !store.isEphemeral) claims.sweepSoon()
  }

  return {
    api: { approvals: api },
    start() {
      questions.onChange(control.notify)
      questions.onForm((question) => {
        const { approval } = question
        // Only once it is on disk: a person who is notified must be able to answer.
        question.isStored.then(() => deliveries.follow(approval))
        question.outcome.then(() => deliveries.forget(approval.approval_id))
      })
      ports.sources.onListed(lookAgain)
      claims.sweepSoon()
      // No other process writes to a store that ends with this process.
      if (store.isEphemeral) return
      questions.onAnswered(claims.sweepSoon)
      poll = setInterval(() => {
        changes.lookSoon()
        claims.sweepSoon()
      }, POLL_MS).unref()
      stopFollowing = parts.catalog.onChange(lookAgain)
      if (questions.hasReviewers || parts.approver) changes.listen({ unref: true })
    },
    async stop(options) {
      clearInterval(poll)
      stopFollowing?.()
      await deliveries.stop(options)
      await claims.stop()
    },
  }
}

/** Events about approvals that do not belong to one call. No other process writes to these streams. */
function recordBeside(
  { journal, now }: Questions['parts'],
  ownerId: string,
): (type: EventClass, tenant: string, data: object) => void {
  const streams = new Map<string, StreamEntry>()
  return (type, tenant, data) => {
    let stream = streams.get(tenant)
    if (!stream) streams.set(tenant, (stream = { tenant, stream: `approvals_${ownerId}`, sequence: 0 }))
    journal.append(stream, [{ type, at: now(), data }])
  }
}
