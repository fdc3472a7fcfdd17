import fc from 'fast-check'
import { defineTool, type BatchCall, type BatchPolicy, type ToolDraft } from 'toolcrib'

/** The behavior of one call of a random batch. */
export interface Plan {
  tool: ToolName
  /** The locks that it takes, if its tool declares them. */
  keys: string[]
  /** How many turns of the event loop it takes. */
  turns: number
  fails: boolean
  /** Ignores a request to stop. */
  isDeaf: boolean
  dependsOn: number[]
  /** It requires approval, which comes after this many turns. */
  askedFor: number | undefined
}

export type ToolName =
  'read' | 'sole' | 'context' | 'locked_read' | 'locked_write' | 'path_write' | 'safe_write'

/** One call that ran, in the order of the process. */
export interface Ran {
  session: string
  /** Its position among the calls of its session. */
  slot: number
  batch: number
  index: number
  plan: Plan
  start: number
  end: number
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Executors that record when they started and ended. */
export function createTools(ran: Ran[], counter: { now: number }): ToolDraft[] {
  const input = { jsonSchema: { type: 'object' } } as const
  const make = (name: ToolName, more: object): ToolDraft =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      isOpenWorld: false,
      input,
      ...more,
      async execute(given, { signal }) {
        const { session, slot, batch, index, plan } = given as unknown as Ran
        const entry: Ran = { session, slot, batch, index, plan, start: counter.now++, end: Infinity }
        ran.push(entry)
        try {
          for (let left = plan.turns; left > 0; left--) {
            await turn()
            if (!plan.isDeaf) signal.throwIfAborted()
          }
          if (plan.fails) throw new Error('as planned')
          return 'done'
        } finally {
          entry.end = counter.now++
        }
      },
    })
  const keysOf = (access: 'read' | 'write') => (given: unknown) =>
    (given as { plan: Plan }).plan.keys.map((key) => ({ key, access }))
  return [
    make('read', { isReadOnly: true, isConcurrencySafe: true }),
    make('safe_write', { isReadOnly: false, isConcurrencySafe: true }),
    make('sole', { isReadOnly: false }),
    make('context', { isReadOnly: true, isConcurrencySafe: true, requiresExclusiveContext: true }),
    make('locked_read', { isReadOnly: true, isConcurrencySafe: true, locks: keysOf('read') }),
    make('locked_write', { isReadOnly: false, locks: keysOf('write') }),
    make('path_write', { isReadOnly: false, locks: 'paths', paths: { path: 'write' } }),
  ]
}

const KEYS = ['db:a', 'db:b', 'page:1']
const PATHS = ['/t', '/t/a', '/t/a/b', '/t/c']

const planOf = (index: number): fc.Arbitrary<Plan> =>
  fc.record({
    tool: fc.constantFrom<ToolName>(
      'read',
      'read',
      'read',
      'sole',
      'context',
      'locked_read',
      'locked_write',
      'path_write',
      'safe_write',
    ),
    keys: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 }),
    turns: fc.nat({ max: 4 }),
    fails: fc.boolean().map((value) => value && index % 2 === 0),
    isDeaf: fc.boolean(),
    askedFor: fc.option(fc.nat({ max: 5 }), { nil: undefined, freq: 4 }),
    dependsOn: index === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat({ max: index - 1 }), { maxLength: 2 }),
  })

export interface BatchPlan {
  session: string
  plans: Plan[]
  paths: string[]
  policy: BatchPolicy
  /** Whether all calls are given together, or are added while the model is still streaming. */
  intake: { how: 'at_once' | 'finish' | 'fallback'; after: number }
  /** After how many turns the batch is interrupted, and how. */
  interference: { after: number; how: 'none' | 'cancel' | 'interrupt' | 'interrupt_twice' | 'cancel_one' }
}

const policyPlan = fc.record({
  max_parallel: fc.integer({ min: 1, max: 6 }),
  ordering_policy: fc.constantFrom('preserve_terminal_order', 'allow_unordered', 'serial'),
  yield_policy: fc.constantFrom('progress_immediate_results_ordered', 'all_ordered', 'unordered_streaming'),
  sibling_failure_policy: fc.constantFrom('ignore', 'cancel_siblings', 'cancel_dependent'),
  interrupt_behavior: fc.constantFrom('cancel', 'block'),
} as const)

export const batchPlan: fc.Arbitrary<BatchPlan> = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.record({
    session: fc.constantFrom('s1', 's2', 's3'),
    plans: fc.tuple(...Array.from({ length: count }, (_, index) => planOf(index))),
    paths: fc.array(fc.constantFrom(...PATHS), { minLength: count, maxLength: count }),
    policy: policyPlan,
    intake: fc.record({
      how: fc.constantFrom('at_once', 'at_once', 'finish', 'fallback'),
      after: fc.nat({ max: 4 }),
    }),
    interference: fc.record({
      after: fc.nat({ max: 6 }),
      how: fc.constantFrom('none', 'none', 'none', 'cancel', 'interrupt', 'interrupt_twice', 'cancel_one'),
    }),
  }),
)

export function toCalls(
  { plans, paths, session }: BatchPlan,
  batch: number,
  firstPlace: number,
): BatchCall[] {
  return plans.map((plan, index) => ({
    name: plan.tool,
    input: { session, slot: firstPlace + index, batch, index, plan, path: paths[index] },
    dependsOn: plan.dependsOn,
  }))
}
