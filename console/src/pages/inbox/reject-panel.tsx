import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import type { ApprovalItem } from '../../api/types.js'
import { useDraft } from './drafts.js'
import type { Answering } from './use-answer.js'

/** What the panels of an answer get. */
export interface PanelProps {
  readonly item: ApprovalItem
  readonly answering: Answering
  /** False: somebody has answered meanwhile. */
  readonly isOpen: boolean
  readonly onBack: () => void
}

export function RejectPanel({ item, answering, isOpen, onBack }: PanelProps): ReactNode {
  const [draft, change] = useDraft(item.approval.approval_id)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    const feedback = draft.feedback.trim()
    if (isOpen) answering.send({ approved: false, ...(feedback === '' ? {} : { feedback }) })
  }
  return (
    <form className="answer-form" onSubmit={send}>
      <div className="field">
        <label htmlFor="feedback">
          Why not? <span className="muted">The agent reads this and can do better.</span>
        </label>
        <textarea
          id="feedback"
          ref={field}
          className="input"
          rows={3}
          maxLength={10_000}
          value={draft.feedback}
          onChange={(event) => change({ feedback: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onBack()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          }}
        />
      </div>
      <div className="answer-buttons">
        <button type="submit" className="button danger" disabled={!isOpen || answering.isBusy}>
          Reject: the call does not run
        </button>
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  )
}
