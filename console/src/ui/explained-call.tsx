import type { ReactNode } from 'react'
import type { ExplainedCall } from '../api/policy.js'
import { Badge, FactBadges, type Tone } from './badge.js'
import { Fields } from './fields.js'
import { Text } from './text.js'
import './explained-call.css'

const BEHAVIORS: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  allow: ['allowed', 'good'],
  ask: ['asks a person', 'warn'],
  deny: ['denied', 'bad'],
  passthrough: ['left open', 'neutral'],
}

/** What a decision does, as a badge. */
export function BehaviorBadge({ behavior }: { readonly behavior: string }): ReactNode {
  const [words, tone] = BEHAVIORS[behavior] ?? [behavior, 'neutral']
  return <Badge tone={tone}>{words}</Badge>
}

/** How a call would be decided: the decision, the rule that made it, the rules that lost, and what would change it. */
export function ExplainedCallView({ explained }: { readonly explained: ExplainedCall }): ReactNode {
  return (
    <div className="explained">
      <p className="explained-decision">
        <BehaviorBadge behavior={explained.behavior} />
        <span>
          <Text>{explained.reason.message}</Text>
        </span>
      </p>
      <Fields
        rows={[
          ['Tool', <Text key="tool">{explained.tool_name}</Text>],
          ['Mode', explained.mode],
          ['Decided by', sourceWords(explained.source)],
          ['Facts', <FactsOf key="facts" explained={explained} />],
          ['Reads', valueList(explained.reads)],
          ['Writes', valueList(explained.writes)],
          ['Hosts', valueList(explained.hosts)],
          ['Commands', valueList(explained.commands)],
          ['Blocked path', valueList(explained.blocked_path === undefined ? [] : [explained.blocked_path])],
        ]}
      />
      <Considered explained={explained} />
      {explained.what_would_change.length > 0 && (
        <section className="section">
          <h3>What would change the decision</h3>
          <ul className="sentences">
            {explained.what_would_change.map((sentence) => (
              <li key={sentence}>
                <Text>{sentence}</Text>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function FactsOf({ explained: { facts } }: { readonly explained: ExplainedCall }): ReactNode {
  const undeclared = Object.entries(facts.origins).flatMap(([name, origin]) =>
    origin === 'default' ? name : [],
  )
  return <FactBadges facts={facts} undeclared={undeclared} />
}

function valueList(values: readonly string[]): ReactNode {
  if (values.length === 0) return undefined
  return (
    <ul>
      {values.map((value) => (
        <li key={value}>
          <code>
            <Text>{value}</Text>
          </code>
        </li>
      ))}
    </ul>
  )
}

const MATCHED: Readonly<Record<string, string>> = {
  yes: 'matches',
  maybe: 'may match',
  part: 'matches a part',
  no: 'does not match',
  waived: 'matches, is waived',
}

function Considered({ explained }: { readonly explained: ExplainedCall }): ReactNode {
  const { considered, winning_rule: winner } = explained
  return (
    <section className="section">
      <h3>Rules considered</h3>
      {considered.length === 0 ? (
        <p className="muted">No rule is about this tool.</p>
      ) : (
        <ul className="considered">
          {considered.map((rule) => (
            <li key={rule.ref} className={rule.ref === winner?.ref ? 'wins' : ''}>
              <span className="considered-rule">
                <BehaviorWord behavior={rule.behavior} />
                <code>
                  <Text>{rule.text}</Text>
                </code>
              </span>
              <span className="muted">
                {rule.ref === winner?.ref ? 'decides' : MATCHED[rule.matched]}
                {rule.problem !== undefined && (
                  <>
                    {': '}
                    <Text>{rule.problem}</Text>
                  </>
                )}
              </span>
              <span className="muted">
                <Text>{whereOf(rule)}</Text>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The word at the beginning of a rule. */
export function BehaviorWord({ behavior }: { readonly behavior: string }): ReactNode {
  return <span className={`behavior ${BEHAVIORS[behavior]?.[1] ?? 'neutral'}`}>{behavior}</span>
}

const SOURCES: Readonly<Record<string, string>> = {
  user_settings: 'your settings',
  project_settings: 'the project',
  local_settings: 'local settings',
  flag_settings: 'flags',
  policy_settings: 'the administrator',
  cli_arg: 'the command line',
  command: 'a command',
  session: 'the session',
  'toolcrib.default': 'the mode, no rule matches',
  'toolcrib.decider': 'the tool itself',
  'toolcrib.hook': 'a hook',
  'toolcrib.engine': 'the policy engine',
  'toolcrib.classifier': 'a classifier',
  'toolcrib.approver': 'a person',
}

export function sourceWords(source: string): string {
  return SOURCES[source] ?? source.replaceAll('_', ' ')
}

/** The file and line of a rule, or its source. */
export function whereOf(rule: {
  readonly source: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}): string {
  if (rule.file === undefined) return sourceWords(rule.source)
  return rule.line === undefined ? rule.file : `${rule.file}:${rule.line}`
}
