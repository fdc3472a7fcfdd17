import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { ApprovalItem } from '../../api/types.js'
import { useKeys } from '../../shell/keys.js'
import { ErrorBox } from '../../ui/error-box.js'
import { createDraft } from '../../ui/schema-form/draft.js'
import { Text } from '../../ui/text.js'
import { AlwaysDialog } from './always-dialog.js'
import { ContentPanel } from './content-panel.js'
import { typedMode, useDraft } from './drafts.js'
import { EditPanel } from './edit-panel.js'
import { RejectPanel } from './reject-panel.js'
import { useAnswer } from './use-answer.js'

interface AnswerPanelProps {
  readonly item: ApprovalItem
  readonly onAnswered: (id: string) => void
}

/** The ways to answer. An answer cannot be taken back, so each button says what happens. */
export function AnswerPanel({ item, onAnswered }: AnswerPanelProps): ReactNode {
  const { approval, may_answer, why_not, always } = item
  const [draft, change] = useDraft(approval.approval_id)
  const [isAlwaysOpen, setAlwaysOpen] = useState(false)
  const answering = useAnswer(item, onAnswered)
  const isPending = approval.status === 'pending'
  const canAnswer = isPending && may_answer
  const hasForm = approval.form !== undefined
  const canApprove = canAnswer && !hasForm && draft.mode === 'read'
  // Somebody was faster: what was typed stays in view, and can no longer be sent.
  const mode = isPending ? draft.mode : typedMode(draft, approval)
  const { panel, leave } = useFocusBack(mode, isAlwaysOpen)
  const actions = {
    approve: () => canApprove && answering.send({ approved: true, scope: 'once' }),
    edit: () => {
      if (!canApprove || !approval.is_editable) return
      leave('edit')
      change({ mode: 'edit', input: draft.input ?? createDraft(approval.input) })
    },
    reject: () => {
      if (!canAnswer || mode === 'reject') return
      leave('reject')
      change({ mode: 'reject' })
    },
    always: () => {
      if (!canApprove || always.length === 0) return
      leave('always')
      setAlwaysOpen(true)
    },
    back: () => change({ mode: 'read' }),
  }
  useAnswerKeys(actions)
  if (!isPending && mode === 'read') return null
  return (
    <div
      ref={panel}
      className={mode === 'read' && !hasForm ? 'answer-panel choosing' : 'answer-panel'}
      role="group"
      aria-label="Answer"
    >
      {isPending && <ErrorBox error={answering.error} />}
      {isPending && !may_answer && (
        <p className="notice warn">
          <Text>{why_not ?? 'You may not answer this question.'}</Text>
        </p>
      )}
      {mode === 'reject' ? (
        <RejectPanel item={item} answering={answering} isOpen={canAnswer} onBack={actions.back} />
      ) : hasForm ? (
        (canAnswer || !isPending) && (
          <ContentPanel item={item} answering={answering} isOpen={canAnswer} onReject={actions.reject} />
        )
      ) : mode === 'edit' ? (
        <EditPanel item={item} answering={answering} isOpen={canAnswer} onBack={actions.back} />
      ) : (
        canAnswer && <Choices item={item} isBusy={answering.isBusy} actions={actions} />
      )}
      {isAlwaysOpen && canAnswer && (
        <AlwaysDialog item={item} answering={answering} onClose={() => setAlwaysOpen(false)} />
      )}
    </div>
  )
}

/** After a panel or the dialog was closed, the focus is where it was before, or on the button that opens it. */
function useFocusBack(
  mode: string,
  isAlwaysOpen: boolean,
): { panel: RefObject<HTMLDivElement | null>; leave: (action: string) => void } {
  const panel = useRef<HTMLDivElement>(null)
  const left = useRef<{ readonly from: Element | null; readonly action: string }>(undefined)
  const isOpen = mode !== 'read' || isAlwaysOpen
  useEffect(() => {
    if (isOpen || left.current === undefined) return
    const { from, action } = left.current
    left.current = undefined
    const isThere = from instanceof HTMLElement && from.isConnected && from !== document.body
    const target = isThere ? from : panel.current?.querySelector<HTMLElement>(`[data-action=${action}]`)
    target?.focus()
  }, [isOpen])
  return {
    panel,
    leave(action) {
      left.current = { from: document.activeElement, action }
    },
  }
}

interface Actions {
  readonly approve: () => void
  readonly edit: () => void
  readonly reject: () => void
  readonly always: () => void
}

function useAnswerKeys({ approve, edit, reject, always }: Actions): void {
  const group = 'Inbox'
  useKeys([
    { keys: 'a', label: 'Approve once', group, run: approve },
    { keys: 'e', label: 'Edit and approve', group, run: edit },
    { keys: 'r', label: 'Reject with a reason', group, run: reject },
    { keys: 's', label: 'Always…', group, run: always },
  ])
}

interface ChoicesProps {
  readonly item: ApprovalItem
  readonly isBusy: boolean
  readonly actions: Actions
}

function Choices({ item: { approval, always }, isBusy, actions }: ChoicesProps): ReactNode {
  return (
    <>
      <div className="answer-buttons">
        <button type="button" className="button primary" disabled={isBusy} onClick={actions.approve}>
          Approve and run once <kbd aria-hidden="true">a</kbd>
        </button>
        {approval.is_editable && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            data-action="edit"
            onClick={actions.edit}
          >
            Edit and approve… <kbd aria-hidden="true">e</kbd>
          </button>
        )}
        {always.length > 0 && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            data-action="always"
            onClick={actions.always}
          >
            Always… <kbd aria-hidden="true">s</kbd>
          </button>
        )}
        <button
          type="button"
          className="button reject"
          disabled={isBusy}
          data-action="reject"
          onClick={actions.reject}
        >
          Reject… <kbd aria-hidden="true">r</kbd>
        </button>
      </div>
      <p className="muted answer-note">
        Approving runs the call at once with the arguments above. It cannot be undone.
      </p>
    </>
  )
}
