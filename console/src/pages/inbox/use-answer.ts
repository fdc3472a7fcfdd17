import { useState } from 'react'
import { answerApproval } from '../../api/client.js'
import { toApiError, type ApiError } from '../../api/http.js'
import type { ApprovalAnswer, ApprovalItem } from '../../api/types.js'
import { useFailure } from '../../live/use-action.js'
import { refreshResources } from '../../live/use-resource.js'
import { callPath } from '../../paths.js'
import { INBOX_KEY } from '../../shell/inbox-count.js'
import { showToast } from '../../ui/toast.js'
import { dropDraft } from './drafts.js'

export interface Answering {
  readonly isBusy: boolean
  readonly error: ApiError | undefined
  readonly send: (answer: Omit<ApprovalAnswer, 'input_digest'>) => void
}

/** After an answer the next question is in the same place: a second click or key press was meant for the first. */
const UNMEANT_MS = 700
let lastAnswerAt = -UNMEANT_MS

/** Sends one answer, bound to the input that is shown. What was typed stays unless the answer counted. */
export function useAnswer(item: ApprovalItem, onAnswered: (id: string) => void): Answering {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useFailure()
  const { approval_id: id, input_digest, invocation_id } = item.approval
  const send = (answer: Omit<ApprovalAnswer, 'input_digest'>): void => {
    if (isBusy || performance.now() - lastAnswerAt < UNMEANT_MS) return
    setBusy(true)
    setError(undefined)
    answerApproval(id, { ...answer, input_digest })
      .then(() => {
        lastAnswerAt = performance.now()
        dropDraft(id)
        showToast({
          text: `${outcomeWords(answer)} ${item.tool_name}`,
          tone: answer.approved ? 'good' : 'info',
          link: { to: callPath(invocation_id), label: 'Open the call' },
        })
        onAnswered(id)
        refreshResources(INBOX_KEY)
      })
      .catch((failure: unknown) => {
        setError(toApiError(failure))
        // Somebody may have been faster: show who, and what.
        refreshResources('approval ')
        refreshResources(INBOX_KEY)
      })
      .finally(() => setBusy(false))
  }
  return { isBusy, error, send }
}

function outcomeWords({ approved, content, input, scope }: Omit<ApprovalAnswer, 'input_digest'>): string {
  if (!approved) return 'Rejected'
  if (content !== undefined) return 'Answered'
  if (input !== undefined) return 'Approved with changes:'
  return scope === undefined || scope === 'once' ? 'Approved' : 'Approved, and allowed from now on:'
}
