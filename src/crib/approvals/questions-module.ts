import { isoTime } from '../../contract/iso-time.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import type { ApprovalDraft, Approvals } from '../../pipeline/permission/approvals.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import { signed, type WaitingCall } from '../../approvals/kept-approval.js'
import { digestInput } from '../../approvals/sign-approval.js'
import type { CribModule } from '../assemble.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { PolicyPort } from '../policy/policy-module.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { ApprovalsParts } from './approvals-parts.js'
import type { CribApprovals } from './crib-approvals.js'
import { createApprovalQueries } from './list-approvals.js'
import { OpenQuestion } from './open-question.js'
import { watchChanges, type ChangeWatch } from './watch-changes.js'

/** The open approvals of this crib's calls. */
export interface Questions {
  readonly parts: ApprovalsParts
  readonly open: ReadonlyMap<string, OpenQuestion>
  readonly queries: Pick<CribApprovals, 'list' | 'get' | 'countWaiting'>
  readonly changes: ChangeWatch
  readonly hasReviewers: boolean
  /** Stores the questions that are not in the store yet. */
  publish(): Promise<void>
  /** Calls back for each question with a form that a call of this crib asks. */
  onForm(listener: (question: OpenQuestion) => void): void
  /** Calls back after an answer by any process, when the questions of this crib have received theirs. */
  onAnswered(listener: () => void): void
  /** Calls back after any change of an approval. */
  onChange(listener: () => Promise<void>): void
}

export interface QuestionsPort {
  readonly questions: Questions
  /** For the pipeline. */
  readonly approvals: Approvals
}

const DEFAULT_EXPIRES_MS = 24 * 60 * 60 * 1000

/** Asks reviewers about calls, and receives their answers from any process. */
export function openQuestions(
  ports: OptionsPort & RecordPort & CatalogPort & PolicyPort,
): CribModule<QuestionsPort> {
  const { options, tenant, store, journal, keys, reviewers, now, catalog, redactor } = ports
  const parts: ApprovalsParts = {
    store,
    journal,
    keys,
    reviewers,
    expiresMs: options.approvals?.expiresMs ?? DEFAULT_EXPIRES_MS,
    now,
    tenant,
    catalog,
    redactor,
    approver: options.approver,
    policyRevision: ports.policyRevision,
    acceptUpdate: ports.acceptUpdate,
  }
  const hasReviewers = reviewers.length > 0
  const open = new Map<string, OpenQuestion>()
  const forms: ((question: OpenQuestion) => void)[] = []
  const answered: (() => void)[] = []
  const changed: (() => Promise<void>)[] = []
  const changes = watchChanges(store, {
    async onAnswered() {
      for (const question of open.values()) await question.look()
      // Only after that: a call that was approved under the old rules must not need a new approval because of its own
      // answer.
      await ports.reloadRules()
      for (const listener of answered) listener()
    },
    async onChange() {
      for (const listener of changed) await listener()
    },
  })
  let endHold: (() => void) | undefined

  /** Another process may answer an open question: if there are reviewers, it keeps this process alive. */
  function hold(): void {
    if (open.size === 0 || endHold) return
    endHold = changes.listen({ unref: !hasReviewers })
    changes.lookSoon()
  }

  function forget(id: string): void {
    open.delete(id)
    if (open.size > 0) return
    endHold?.()
    endHold = undefined
  }

  function ask(draft: ApprovalDraft, waiting: WaitingCall): OpenQuestion {
    const { approval_id: id } = draft
    const held = keys()
    const kept = signed(held, toApproval(parts, held, { draft, waiting }))
    const question = new OpenQuestion({ parts, keys: held, kept, waiting, onEnd: () => forget(id) })
    if (!parts.approver) void question.publish()
    open.set(id, question)
    // An approver in this process often answers before the event loop has turned.
    setImmediate(hold)
    if (draft.form) for (const listener of forms) listener(question)
    return question
  }

  async function publish(): Promise<void> {
    for (const question of open.values()) await question.publish()
    await journal.flush()
  }

  return {
    port: {
      questions: {
        parts,
        open,
        queries: createApprovalQueries(parts, publish),
        changes,
        hasReviewers,
        publish,
        onForm: (listener) => void forms.push(listener),
        onAnswered: (listener) => void answered.push(listener),
        onChange: (listener) => void changed.push(listener),
      },
      approvals: {
        hasReviewers,
        ask,
        expiryOf: (at, { named, expiresMs = parts.expiresMs }) => expiryOf(at + expiresMs, named),
      },
    },
    stop: () => changes.stop(),
  }
}

function toApproval(
  parts: ApprovalsParts,
  keys: SealKeys,
  { draft, waiting }: { draft: ApprovalDraft; waiting: WaitingCall },
): ToolcribApproval {
  return {
    schema_version: SCHEMA_VERSION,
    ...draft,
    input_digest: digestInput(keys, waiting.inputs[waiting.judged]),
    policy_revision: parts.policyRevision(),
    ...(parts.reviewers.length > 0 && { reviewers: [...parts.reviewers] }),
    status: 'pending',
  }
}

/** A decider may have set an earlier expiry. */
function expiryOf(last: number, named: string | undefined): string {
  const asked = named === undefined ? Number.NaN : Date.parse(named)
  return isoTime(asked < last ? asked : last)
}
