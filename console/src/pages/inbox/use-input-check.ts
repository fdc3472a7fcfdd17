import { useEffect, useState } from 'react'
import { checkApproval } from '../../api/client.js'
import { toApiError, type ApiError } from '../../api/http.js'
import type { ApprovalCheck } from '../../api/types.js'
import { ONLY_RESYNC, useEvents } from '../../live/use-events.js'
import { draftProblems, type FormDraft } from '../../ui/schema-form/draft.js'

export interface InputCheck {
  readonly isChecking: boolean
  /** Of the last input that was checked; absent until then. */
  readonly result: ApprovalCheck | undefined
  readonly error: ApiError | undefined
}

const TYPING_MS = 250

/** Asks the server about the edited input whenever the typing pauses: by the schema of the tool and by the rules. */
export function useInputCheck(id: string, draft: FormDraft | undefined): InputCheck {
  const [check, setCheck] = useState<InputCheck>({ isChecking: true, result: undefined, error: undefined })
  const isReadable = draft !== undefined && draftProblems(draft).length === 0
  const [attempt, setAttempt] = useState(0)
  useEvents(ONLY_RESYNC, () => setAttempt((before) => (check.error === undefined ? before : before + 1)))
  const text = isReadable ? JSON.stringify(draft.value ?? null) : undefined
  useEffect(() => {
    if (text === undefined) return
    setCheck((before) => ({ ...before, isChecking: true }))
    const control = new AbortController()
    const timer = setTimeout(() => {
      checkApproval(id, JSON.parse(text), control.signal)
        .then((result) => setCheck({ isChecking: false, result, error: undefined }))
        .catch((error: unknown) => {
          if (!control.signal.aborted)
            setCheck({ isChecking: false, result: undefined, error: toApiError(error) })
        })
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [id, text, attempt])
  return check
}
