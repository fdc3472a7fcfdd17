import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import {
  addRule,
  removeRule,
  type RuleBehavior,
  type RuleChanges,
  type RuleItem,
  type Rules,
} from '../../api/policy.js'
import { useAction } from '../../live/use-action.js'
import { refreshResources } from '../../live/use-resource.js'
import { useTools } from '../../live/use-tools.js'
import { ErrorBox } from '../../ui/error-box.js'
import { BehaviorWord, sourceWords } from '../../ui/explained-call.js'
import { Text, visibleText } from '../../ui/text.js'
import { showToast } from '../../ui/toast.js'
import { ChangePreview } from './change-preview.js'
import { ToolInput } from './tool-input.js'

export type RuleEdit =
  { readonly kind: 'add' } | { readonly kind: 'replace' | 'remove'; readonly rule: RuleItem }

interface ChangeRuleProps {
  readonly edit: RuleEdit
  readonly rules: Rules
  readonly onClose: () => void
}

const TYPING_MS = 350

/** Adds, replaces or removes a rule, and shows before that which of the last calls would be decided otherwise. */
export function ChangeRule({ edit, rules, onClose }: ChangeRuleProps): ReactNode {
  const before = edit.kind === 'add' ? undefined : edit.rule
  const [behavior, setBehavior] = useState<RuleBehavior>(before?.behavior ?? 'ask')
  const [text, setText] = useState(before?.text ?? '')
  const [reason, setReason] = useState(before?.reason ?? '')
  const [destination, setDestination] = useState(before?.source ?? firstFile(rules.destinations))
  const action = useAction()
  const rule = text.trim()
  const changes = useLater(changesOf(edit, { behavior, rule, destination }))
  const isSameRule =
    before !== undefined && edit.kind === 'replace' && before.behavior === behavior && before.text === rule
  const isUnchanged = isSameRule && (before.reason ?? '') === reason.trim()

  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const save = (): void =>
    action.run(async () => {
      const replaces = before && { behavior: before.behavior, rule: before.text }
      const given = { ...(reason.trim() !== '' && { reason: reason.trim() }), ...(replaces && { replaces }) }
      if (edit.kind === 'remove') await removeRule({ ...replaces!, destination: edit.rule.source })
      else await addRule({ behavior, rule, destination, ...given })
      refreshResources('rules')
      showToast({ text: DONE[edit.kind], tone: 'good' })
      onClose()
    })

  return (
    <form
      ref={form}
      className="change-rule box"
      aria-label={TITLES[edit.kind]}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h2>{TITLES[edit.kind]}</h2>
      {edit.kind === 'remove' ? (
        <p className="rule-text">
          <BehaviorWord behavior={edit.rule.behavior} />
          <code>
            <Text>{edit.rule.text}</Text>
          </code>
          <span className="muted">from {sourceWords(edit.rule.source)}</span>
        </p>
      ) : (
        <RuleFields
          {...{ behavior, setBehavior, text, setText, reason, setReason, destination, setDestination }}
          destinations={edit.kind === 'replace' ? [edit.rule.source] : rules.destinations}
        />
      )}
      {changes === undefined || isSameRule ? (
        <p className="muted">
          {isSameRule && !isUnchanged
            ? 'Only the reason changes: every call is decided as before.'
            : 'Write a rule to see which of the last calls it would change.'}
        </p>
      ) : (
        <ChangePreview changes={changes} />
      )}
      <ErrorBox error={action.error} />
      <div className="actions">
        <button
          type="submit"
          className={edit.kind === 'remove' ? 'button danger' : 'button primary'}
          data-autofocus={edit.kind === 'remove' ? true : undefined}
          disabled={action.isBusy || rule === '' || isUnchanged}
        >
          {edit.kind === 'remove' ? 'Remove the rule' : 'Save the rule'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

const TITLES = { add: 'Add a rule', replace: 'Edit a rule', remove: 'Remove a rule' } as const
const DONE = {
  add: 'The rule is in force.',
  replace: 'The changed rule is in force.',
  remove: 'The rule is removed.',
} as const

interface RuleFieldsProps {
  readonly behavior: RuleBehavior
  readonly setBehavior: (behavior: RuleBehavior) => void
  readonly text: string
  readonly setText: (text: string) => void
  readonly reason: string
  readonly setReason: (reason: string) => void
  readonly destination: string
  readonly setDestination: (destination: string) => void
  readonly destinations: readonly string[]
}

function RuleFields(props: RuleFieldsProps): ReactNode {
  const id = useId()
  const tools = useTools()
  return (
    <div className="rule-fields">
      <div className="field">
        <label htmlFor={`${id}behavior`}>Decision</label>
        <select
          id={`${id}behavior`}
          className="input"
          data-autofocus
          value={props.behavior}
          onChange={(event) => props.setBehavior(event.target.value as RuleBehavior)}
        >
          <option value="allow">allow</option>
          <option value="ask">ask</option>
          <option value="deny">deny</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}rule`}>Rule</label>
        <ToolInput
          id={`${id}rule`}
          value={props.text}
          onChange={props.setText}
          tools={tools.data ?? []}
          placeholder="tool or tool(pattern)"
        />
        <p className="field-help">For example shell.exec(git push:*), Read(**/.env) or github.*</p>
      </div>
      <div className="field">
        <label htmlFor={`${id}destination`}>Written to</label>
        <select
          id={`${id}destination`}
          className="input"
          value={props.destination}
          onChange={(event) => props.setDestination(event.target.value)}
        >
          {props.destinations.map((each) => (
            <option key={each} value={each}>
              {each === 'session' ? 'memory, until the server ends' : visibleText(sourceWords(each))}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}reason`}>Reason</label>
        <input
          id={`${id}reason`}
          className="input"
          value={props.reason}
          placeholder="for people who read the rule"
          autoComplete="off"
          onChange={(event) => props.setReason(event.target.value)}
        />
      </div>
    </div>
  )
}

/** A rule that is gone after a restart is a choice, not the default. */
function firstFile(destinations: readonly string[]): string {
  return destinations.find((each) => each !== 'session') ?? 'session'
}

function changesOf(
  edit: RuleEdit,
  added: { readonly behavior: RuleBehavior; readonly rule: string; readonly destination: string },
): RuleChanges | undefined {
  const remove =
    edit.kind === 'add'
      ? []
      : [{ behavior: edit.rule.behavior, rule: edit.rule.text, destination: edit.rule.source }]
  if (edit.kind === 'remove') return { add: [], remove }
  return added.rule === '' ? undefined : { add: [added], remove }
}

/** The value once it has not changed for a moment: a preview judges many calls. */
function useLater<T>(value: T): T {
  const key = JSON.stringify(value)
  const [later, setLater] = useState({ key, value })
  useEffect(() => {
    if (key === later.key) return
    const timer = setTimeout(() => setLater({ key, value }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [key])
  return later.value
}
