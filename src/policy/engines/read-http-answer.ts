import { isObject } from '../../platform/json/is-object.js'
import { strayKey } from '../../platform/validation/check-options.js'
import type { EngineAnswer } from './policy-engine.js'

type Behavior = EngineAnswer['behavior']

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const satisfies readonly Behavior[]

/**
 * The answers of the usual decision endpoints, each alone or under `result`: a plain `true` or `false`; `allow`, `ask`
 * and `deny` (true or false, `deny` also a list of reasons); `behavior` or `decision` as a word or a boolean. If an
 * answer has several statements, the strictest counts. One that is unknown makes the whole answer unreadable.
 */
export function readHttpAnswer(answer: unknown): EngineAnswer | undefined {
  if (typeof answer === 'boolean') return { behavior: answer ? 'allow' : 'deny' }
  if (!isObject(answer)) return undefined
  const inner = 'result' in answer ? readHttpAnswer(answer['result']) : undefined
  if ('result' in answer && !inner) return undefined
  const stray = strayIn(answer)
  if (stray !== undefined) return { behavior: 'deny', message: `Its answer was refused: ${stray}` }
  const stated = behaviorsOf(answer)
  if (stated === 'unreadable') return undefined
  const behavior = STRICTEST_FIRST.find((each) => stated.includes(each) || inner?.behavior === each)
  if (!behavior) return undefined
  const message = messageOf(answer) ?? inner?.message
  const policyRefs = [...textsOf(answer['policy_refs']), ...(inner?.policyRefs ?? [])]
  return { behavior, ...(message && { message }), ...(policyRefs.length > 0 && { policyRefs }) }
}

/** Fields that change a call, in any spelling: they would not be applied, so an answer with one is unreadable. */
const NOT_FOLLOWED = ['updated_input', 'updated_input_ref', 'content_blocks', 'updatedInput', 'contentBlocks']

/**
 * An answer with a `behavior` is a verdict, which is followed exactly or not at all. Others are documents of a policy,
 * which may hold anything its author wrote.
 */
function strayIn(answer: Record<string, unknown>): string | undefined {
  if ('behavior' in answer) return strayKey('A verdict from an endpoint', 'key', answer, VERDICT_KEYS)
  const found = NOT_FOLLOWED.find((key) => answer[key] !== undefined)
  return found === undefined ? undefined : `an endpoint decides, and "${found}" would not be followed.`
}

function behaviorsOf(answer: Record<string, unknown>): Behavior[] | 'unreadable' {
  const stated = STATEMENTS.flatMap(([field, read]) => {
    const value = answer[field]
    return value === undefined || value === null ? [] : [read(value)]
  })
  return stated.includes('unreadable')
    ? 'unreadable'
    : stated.filter((each): each is Behavior => each !== 'nothing' && each !== 'unreadable')
}

type Stated = Behavior | 'nothing' | 'unreadable'

const STATEMENTS: readonly (readonly [string, (value: unknown) => Stated])[] = [
  ['behavior', readWord],
  ['decision', readWord],
  ['allow', (value) => readFlag(value, { yes: 'allow', no: 'deny' })],
  ['ask', (value) => readFlag(value, { yes: 'ask', no: 'nothing' })],
  [
    'deny',
    (value) => (Array.isArray(value) ? readReasons(value) : readFlag(value, { yes: 'deny', no: 'nothing' })),
  ],
]

const VERDICT_KEYS = STATEMENTS.map(([field]) => field).concat(
  'message',
  'reason',
  'context',
  'policy_refs',
  'result',
  'decision_id',
)

function readWord(value: unknown): Stated {
  if (typeof value === 'boolean') return value ? 'allow' : 'deny'
  const word = typeof value === 'string' ? value.toLowerCase() : undefined
  return STRICTEST_FIRST.find((each) => each === word) ?? 'unreadable'
}

function readFlag(value: unknown, { yes, no }: { yes: Stated; no: Stated }): Stated {
  return typeof value === 'boolean' ? (value ? yes : no) : 'unreadable'
}

const readReasons = (reasons: readonly unknown[]): Stated => (reasons.length > 0 ? 'deny' : 'nothing')

function messageOf(answer: Record<string, unknown>): string | undefined {
  const context = isObject(answer['context']) ? answer['context'] : {}
  for (const words of [answer['message'], answer['reason'], context['reason']]) {
    if (typeof words === 'string' && words !== '') return words
  }
  return textsOf(answer['deny']).join(' ') || undefined
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
