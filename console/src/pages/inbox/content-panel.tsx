import { useState, type ReactNode } from 'react'
import type { ApprovalItem } from '../../api/types.js'
import { checkValue } from '../../ui/schema-form/check-value.js'
import { createDraft, draftProblems } from '../../ui/schema-form/draft.js'
import { SchemaForm } from '../../ui/schema-form/schema-form.js'
import { useDraft } from './drafts.js'
import type { Answering } from './use-answer.js'

interface ContentPanelProps {
  readonly item: ApprovalItem
  readonly answering: Answering
  readonly isOpen: boolean
  readonly onReject: () => void
}

/** The form of a tool that a person answers: what is filled in is the result of the call. */
export function ContentPanel({ item, answering, isOpen, onReject }: ContentPanelProps): ReactNode {
  const { approval } = item
  const [draft, change] = useDraft(approval.approval_id)
  const [wasTried, setTried] = useState(false)
  const schema = approval.form ?? {}
  const content = draft.content ?? createDraft({})
  const problems = checkValue(schema, content.value)
  const said = answering.error?.problem.errors ?? []
  const send = (): void => {
    setTried(true)
    if (isOpen && problems.length === 0 && draftProblems(content).length === 0)
      answering.send({ approved: true, content: content.value })
  }
  return (
    <div className="answer-form">
      <SchemaForm
        schema={schema}
        draft={content}
        onChange={(next) => change({ content: next })}
        errors={[...(wasTried ? problems : []), ...said]}
        label="Answer"
      />
      <div className="answer-end">
        <div className="answer-buttons">
          <button
            type="button"
            className="button primary"
            disabled={!isOpen || answering.isBusy}
            onClick={send}
          >
            Send the answer to the agent
          </button>
          <button
            type="button"
            className="button reject"
            disabled={!isOpen}
            data-action="reject"
            onClick={onReject}
          >
            Reject… <kbd aria-hidden="true">r</kbd>
          </button>
        </div>
      </div>
    </div>
  )
}
