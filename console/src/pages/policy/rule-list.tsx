import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { RuleItem, Rules } from '../../api/policy.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Badge } from '../../ui/badge.js'
import { Empty } from '../../ui/empty.js'
import { BehaviorWord, sourceWords } from '../../ui/explained-call.js'
import { Text, visibleText } from '../../ui/text.js'
import { ChangeRule, type RuleEdit } from './change-rule.js'

/** The rules by the file that they stand in. An operator changes them here, after a preview. */
export function RuleList({ rules }: { readonly rules: Rules }): ReactNode {
  const mayChange = hasRole(useSession(), 'operator')
  const [edit, setEdit] = useState<RuleEdit>()
  const addButton = useRef<HTMLButtonElement>(null)
  const begin = useFocusBack(edit !== undefined, addButton)
  const [text, setText] = useState('')
  const shown = rules.items.filter((rule) => rule.text.toLowerCase().includes(text.toLowerCase()))
  return (
    <>
      <Problems problems={rules.problems} />
      <div className="rule-tools">
        <input
          type="search"
          className="input"
          aria-label="Filter rules"
          placeholder="Filter rules"
          data-search
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          ref={addButton}
          type="button"
          className="button primary"
          disabled={!mayChange || edit !== undefined}
          onClick={() => {
            begin()
            setEdit({ kind: 'add' })
          }}
        >
          Add a rule
        </button>
        {!mayChange && <span className="muted">Only an operator can change rules.</span>}
      </div>
      {edit !== undefined && (
        <ChangeRule key={JSON.stringify(edit)} edit={edit} rules={rules} onClose={() => setEdit(undefined)} />
      )}
      {groupsOf(shown).map(([title, members]) => (
        <section key={title} className="section" aria-label={visibleText(title)}>
          <h2>
            <Text>{title}</Text>
          </h2>
          <ul className="rules">
            {members.map((rule, index) => (
              <li key={index}>
                <RuleRow
                  rule={rule}
                  onEdit={
                    mayChange && rules.destinations.includes(rule.source)
                      ? (kind: 'replace' | 'remove') => {
                          begin()
                          setEdit({ kind, rule })
                        }
                      : undefined
                  }
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rules.items.length === 0 && <NoRules mode={rules.mode} />}
      {rules.items.length > 0 && shown.length === 0 && <Empty title="No rule matches this filter" />}
    </>
  )
}

function groupsOf(rules: readonly RuleItem[]): readonly (readonly [string, readonly RuleItem[]])[] {
  const groups = new Map<string, RuleItem[]>()
  for (const rule of rules) {
    const title =
      rule.path === undefined ? sourceWords(rule.source) : `${sourceWords(rule.source)}: ${rule.path}`
    groups.set(title, [...(groups.get(title) ?? []), rule])
  }
  return [...groups]
}

interface RuleRowProps {
  readonly rule: RuleItem
  readonly onEdit: ((kind: 'replace' | 'remove') => void) | undefined
}

function RuleRow({ rule, onEdit }: RuleRowProps): ReactNode {
  const failing = rule.tests?.filter(({ passes }) => !passes).length ?? 0
  return (
    <div className="rule">
      <div className="rule-text">
        <BehaviorWord behavior={rule.behavior} />
        <code>
          <Text>{rule.text}</Text>
        </code>
        {rule.when !== undefined && (
          <span className="muted">
            when <Text>{JSON.stringify(rule.when)}</Text>
          </span>
        )}
        {rule.problem !== undefined && <Badge tone="bad">cannot be read</Badge>}
        {rule.waived !== undefined && (
          <Badge tone="warn" title={visibleText(rule.waived.reason)}>
            waived until {new Date(rule.waived.until).toLocaleString()}
          </Badge>
        )}
        {failing > 0 && (
          <Badge tone="bad">{failing === 1 ? '1 example fails' : `${failing} examples fail`}</Badge>
        )}
      </div>
      <div className="rule-side">
        {rule.line !== undefined && <span className="muted">line {rule.line}</span>}
        {onEdit !== undefined && (
          <>
            {isPlain(rule) ? (
              <button
                type="button"
                className="link-button"
                aria-label={`Edit ${labelOf(rule)}`}
                onClick={() => onEdit('replace')}
              >
                Edit
              </button>
            ) : (
              <span className="muted">edit in its file: {extrasOf(rule)}</span>
            )}
            <button
              type="button"
              className="link-button"
              aria-label={`Remove ${labelOf(rule)}`}
              onClick={() => onEdit('remove')}
            >
              Remove
            </button>
          </>
        )}
      </div>
      {(rule.reason ?? rule.problem) !== undefined && (
        <p className="muted rule-reason">
          <Text>{rule.problem ?? rule.reason ?? ''}</Text>
        </p>
      )}
    </div>
  )
}

/** A rule with conditions or a waiver is edited in its file: here they are not shown in full. */
function isPlain(rule: RuleItem): boolean {
  return extrasOf(rule) === ''
}

function extrasOf({ when, waived }: RuleItem): string {
  return [when && 'conditions', waived && 'a waiver'].filter(Boolean).join(', ')
}

/** When the form closes, the focus is on the button that opened it, or on "Add a rule" where that one is gone. */
function useFocusBack(isOpen: boolean, fallback: RefObject<HTMLElement | null>): () => void {
  const from = useRef<Element | null>(null)
  useEffect(() => {
    if (isOpen || from.current === null) return
    const target = from.current.isConnected ? from.current : fallback.current
    from.current = null
    if (target instanceof HTMLElement) target.focus()
  }, [isOpen, fallback])
  return () => {
    from.current = document.activeElement
  }
}

function labelOf({ behavior, text }: RuleItem): string {
  return `${behavior} ${visibleText(text)}`
}

function Problems({ problems }: { readonly problems: Rules['problems'] }): ReactNode {
  if (problems.length === 0) return null
  return (
    <section className="section" aria-labelledby="rule-problems">
      <h2 id="rule-problems">Problems</h2>
      <ul className="rule-problems">
        {problems.map(({ file, line, message }, index) => (
          <li key={index} className="notice warn">
            <span>
              <Text>{message}</Text>{' '}
              <code>
                <Text>{line === undefined ? file : `${file}:${line}`}</Text>
              </code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoRules({ mode }: { readonly mode: string }): ReactNode {
  return (
    <Empty title="No rules yet" command="deny shell.exec(rm *)">
      Without rules the mode decides: in the mode {mode}, tools that only read run, and other calls ask a
      person. A rule allows, asks or denies a tool, or some of its inputs.
    </Empty>
  )
}
