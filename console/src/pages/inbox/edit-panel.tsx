import { useEffect, useRef, type ReactNode } from 'react'
import { ErrorBox } from '../../ui/error-box.js'
import { createDraft, draftProblems } from '../../ui/schema-form/draft.js'
import { SchemaForm } from '../../ui/schema-form/schema-form.js'
import { Text } from '../../ui/text.js'
import { useDraft } from './drafts.js'
import type { PanelProps } from './reject-panel.js'
import { useInputCheck, type InputCheck } from './use-input-check.js'

/** Other arguments for the call, checked while they are typed. */
export function EditPanel({ item, answering, isOpen, onBack }: PanelProps): ReactNode {
  const { approval, input_schema } = item
  const [draft, change] = useDraft(approval.approval_id)
  const input = draft.input ?? createDraft(approval.input)
  const check = useInputCheck(approval.approval_id, isOpen ? input : undefined)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), [])
  const isDenied = check.result?.decision?.behavior === 'deny'
  const isReady =
    isOpen &&
    !check.isChecking &&
    check.result?.valid === true &&
    !isDenied &&
    draftProblems(input).length === 0
  const send = (): void => {
    if (isReady) answering.send({ approved: true, scope: 'once', input: input.value })
  }
  return (
    <div
      className="answer-form"
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onBack()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <SchemaForm
        schema={input_schema}
        draft={input}
        onChange={(next) => change({ input: next })}
        errors={check.result?.errors ?? []}
        label="Arguments"
      />
      <div className="answer-end">
        <ErrorBox error={check.error} />
        <CheckLine check={check} />
        <div className="answer-buttons">
          <button
            type="button"
            className="button primary"
            disabled={!isReady || answering.isBusy}
            onClick={send}
          >
            Approve and run with these arguments
          </button>
          <button type="button" className="button" onClick={onBack}>
            Back
          </button>
          <button
            type="button"
            className="link-button"
            onClick={() => change({ input: createDraft(approval.input) })}
          >
            Undo my changes
          </button>
        </div>
      </div>
    </div>
  )
}

/** What the last check says, in one line that is read out when it changes. */
function CheckLine({ check: { isChecking, result } }: { readonly check: InputCheck }): ReactNode {
  const words = (): ReactNode => {
    if (result === undefined) return isChecking ? 'Checking…' : ''
    const { errors, decision, valid } = result
    if (!valid) return errors.length === 1 ? '1 problem to solve' : `${errors.length} problems to solve`
    if (decision?.behavior === 'deny')
      return <Text>{`The rules deny these arguments: ${decision.message}`}</Text>
    return 'These arguments are valid.'
  }
  const isBad = result !== undefined && (!result.valid || result.decision?.behavior === 'deny')
  return (
    <p className={isBad ? 'check-line bad' : 'check-line'} role="status">
      {words()}
    </p>
  )
}
