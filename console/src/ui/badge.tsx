import type { ReactNode } from 'react'
import type { Facts, Risk } from '../api/types.js'

export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

interface BadgeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps): ReactNode {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  )
}

/** How statuses of calls, results and approvals read, and their tone. */
const STATUSES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  planned: ['planned', 'neutral'],
  selected: ['checking', 'neutral'],
  arguments_ready: ['checking', 'neutral'],
  pre_hooks_running: ['in hooks', 'info'],
  post_hooks_running: ['in hooks', 'info'],
  awaiting_approval: ['waits for approval', 'warn'],
  needs_input: ['waits for input', 'warn'],
  approved: ['approved', 'good'],
  queued: ['queued', 'neutral'],
  running: ['running', 'info'],
  partial_result: ['running', 'info'],
  yielded: ['in background', 'info'],
  backgrounded: ['goes on in the background', 'info'],
  succeeded: ['succeeded', 'good'],
  partial_succeeded: ['partly succeeded', 'warn'],
  schema_parse_failed: ['invalid input', 'bad'],
  validation_failed: ['invalid input', 'bad'],
  failed: ['failed', 'bad'],
  synthetic_error: ['failed', 'bad'],
  timed_out: ['timed out', 'bad'],
  denied: ['denied', 'bad'],
  rejected: ['rejected', 'bad'],
  blocked: ['blocked', 'bad'],
  canceled: ['canceled', 'neutral'],
  discarded: ['discarded', 'neutral'],
  redacted: ['redacted', 'warn'],
  too_large: ['too large', 'warn'],
  pending: ['waits', 'warn'],
  expired: ['expired', 'neutral'],
  withdrawn: ['withdrawn', 'neutral'],
  superseded: ['replaced', 'neutral'],
  used: ['approved', 'good'],
}

export function statusWords(status: string): string {
  return STATUSES[status]?.[0] ?? status.replaceAll('_', ' ')
}

/** The status of a call, or of its result where it has one: the result says more. */
export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  return <Badge tone={STATUSES[status]?.[1] ?? 'neutral'}>{statusWords(status)}</Badge>
}

const RISK_TONES: Readonly<Record<Risk, Tone>> = { high: 'bad', medium: 'warn', low: 'neutral' }

export function RiskBadge({ risk }: { readonly risk: Risk }): ReactNode {
  return <Badge tone={RISK_TONES[risk]}>{risk} risk</Badge>
}

type AnyFacts = Pick<Facts, 'is_read_only' | 'is_destructive' | 'is_open_world'> & {
  readonly requires_user_interaction?: boolean | 'depends'
}

interface FactBadgesProps {
  readonly facts: AnyFacts
  /** Names of facts that nobody declared; their values are defaults. */
  readonly undeclared?: readonly string[]
}

/** What a call does to the world, in few words. */
export function FactBadges({ facts, undeclared = [] }: FactBadgesProps): ReactNode {
  return (
    <span className="badges">
      {factWords(facts, undeclared).map(({ fact, words, tone }) => {
        const isAssumed = undeclared.includes(fact)
        return (
          <Badge
            key={fact}
            tone={tone}
            title={isAssumed ? 'The tool does not declare this, so it may be otherwise.' : fact}
          >
            {words}
            {isAssumed && <span className="assumed"> (not declared)</span>}
          </Badge>
        )
      })}
    </span>
  )
}

export function factWords(
  facts: AnyFacts,
  undeclared: readonly string[],
): readonly { fact: string; words: string; tone: Tone }[] {
  const { is_read_only, is_destructive, is_open_world, requires_user_interaction } = facts
  const words: { fact: string; words: string; tone: Tone }[] = []
  if (is_read_only === true) words.push({ fact: 'is_read_only', words: 'reads only', tone: 'good' })
  else if (is_read_only === 'depends') words.push({ fact: 'is_read_only', words: 'may write', tone: 'warn' })
  else words.push({ fact: 'is_read_only', words: 'writes', tone: 'warn' })
  if (is_destructive === true) words.push({ fact: 'is_destructive', words: 'can destroy', tone: 'bad' })
  else if (is_read_only !== true && (is_destructive === 'depends' || undeclared.includes('is_destructive')))
    words.push({ fact: 'is_destructive', words: 'may destroy', tone: 'warn' })
  if (is_open_world === true) words.push({ fact: 'is_open_world', words: 'reaches outside', tone: 'warn' })
  else if (is_open_world === 'depends')
    words.push({ fact: 'is_open_world', words: 'may reach outside', tone: 'warn' })
  if (requires_user_interaction === true)
    words.push({ fact: 'requires_user_interaction', words: 'asks a person', tone: 'info' })
  return words
}
