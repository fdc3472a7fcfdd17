import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  askClassifier,
  askEngine,
  withClassifier,
  type Verdict,
  type ClassifierDefinition,
  type ClassifierOutcome,
  type EngineAnswer,
} from 'toolcrib'
import { readHttpAnswer } from '../../src/policy/engines/read-http-answer.js'
import { withOpinion } from '../../src/policy/deciders/with-opinion.js'
import { classifierRequest, engineRequest } from './requests.js'

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant<Verdict>({ behavior: 'deny', source: 'policy_settings' }),
  fc.constant<Verdict>({ behavior: 'ask', reason: { type: 'rule' }, rule_refs: ['r1'] }),
  fc.constant<Verdict>({ behavior: 'ask', isDefault: true }),
  fc.constant<Verdict>({ behavior: 'passthrough' }),
  fc.constant<Verdict>({ behavior: 'allow' }),
)

const confidence = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.9, 1))
const answer: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ verdict: fc.constantFrom('safe', 'safe', 'unsafe', 'unsure'), confidence }),
  },
  { weight: 1, arbitrary: fc.anything() },
)
const powers = fc.record({
  canApprove: fc.boolean(),
  canDeny: fc.boolean(),
  mustAnswer: fc.boolean(),
  approveAt: confidence,
  denyAt: confidence,
})

/** The effect of any classifier; one in a few fails. */
const outcome: fc.Arbitrary<ClassifierOutcome> = fc
  .tuple(answer, powers, fc.nat({ max: 6 }), fc.constantFrom('', 'rm -r x', 'ls'))
  .map(([said, may, breaks, text]) => {
    const classify = (): never => {
      if (breaks === 0) throw new Error('broken')
      return (said instanceof Promise ? undefined : said) as never
    }
    const classifier: ClassifierDefinition = { id: 'any', ...may, classify }
    return askClassifier(classifier, classifierRequest({ text })) as ClassifierOutcome
  })

const engineVerdict = fc
  .oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        behavior: fc.constantFrom<EngineAnswer['behavior']>('allow', 'allow', 'ask', 'deny'),
      }),
    },
    { weight: 1, arbitrary: fc.anything() },
  )
  .map((said) => {
    const decide = (): never => (said instanceof Promise ? undefined : said) as never
    return askEngine({ name: 'any', decide }, engineRequest()) as Verdict
  })

type Step = (before: Verdict) => Verdict
const step: fc.Arbitrary<Step> = fc.oneof(
  outcome.map(
    (each): Step =>
      (before) =>
        withClassifier(before, each),
  ),
  engineVerdict.map(
    (each): Step =>
      (before) =>
        withOpinion(before, each),
  ),
)
const through = (steps: readonly Step[], from: Verdict): Verdict =>
  steps.reduce((before, each) => each(Object.freeze(before)), from)

// Few combinations end in an allow: a hundred runs would miss a breach.
const often = { numRuns: 2000 }

const isOpen = ({ behavior, isDefault }: Verdict): boolean =>
  behavior === 'passthrough' || (behavior === 'ask' && isDefault === true)

describe('outside opinions', () => {
  it('lift no deny, and no ask that a rule made', () => {
    fc.assert(
      fc.property(verdict, fc.array(step, { maxLength: 5 }), (from, steps) => {
        const after = through(steps, from).behavior
        if (from.behavior === 'deny') expect(after).toBe('deny')
        if (from.behavior === 'ask' && !from.isDefault) expect(after).not.toMatch(/allow|passthrough/)
      }),
      often,
    )
  })

  it('lift no ask or deny of another opinion', () => {
    const rank = { allow: 0, passthrough: 1, ask: 1, deny: 2 } as const
    fc.assert(
      fc.property(verdict, fc.array(step, { maxLength: 4 }), step, (from, steps, last) => {
        const before = through(steps, from)
        const after = last(before)
        if (!isOpen(before)) expect(rank[after.behavior]).toBeGreaterThanOrEqual(rank[before.behavior])
      }),
      often,
    )
  })

  it('have the same effect in every order', () => {
    fc.assert(
      fc.property(
        verdict,
        fc
          .array(step, { maxLength: 4 })
          .chain((steps) =>
            fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })),
          ),
        (from, [steps, shuffled]) => {
          expect(through(shuffled, from).behavior).toBe(through(steps, from).behavior)
        },
      ),
      often,
    )
  })
})

it('a classifier that gives no answer never loosens; one that must answer makes an ask at least', () => {
  fc.assert(
    fc.property(verdict, outcome, powers, (from, said, { mustAnswer }) => {
      fc.pre(!said.said.ok)
      const failed: ClassifierOutcome = { ...said, opinion: mustAnswer ? 'ask' : undefined }
      expect(said.opinion === undefined || said.opinion === 'ask').toBe(true)
      const after = withClassifier(from, failed)
      if (!mustAnswer) expect([after.behavior, after.isDefault]).toEqual([from.behavior, from.isDefault])
      else expect(isOpen(after) || after.behavior === 'allow').toBe(false)
    }),
    { maxSkipsPerRun: 100 },
  )
})

it('an engine without a readable answer has denied, and nothing lifts that', () => {
  fc.assert(
    fc.property(verdict, fc.anything(), (from, said) => {
      const behavior: unknown = (said as { behavior?: unknown } | null | undefined)?.behavior
      fc.pre(behavior !== 'allow' && behavior !== 'ask' && !(said instanceof Promise))
      const judged = askEngine({ name: 'any', decide: () => said as never }, engineRequest())
      expect(withOpinion(from, judged as Verdict).behavior).toBe('deny')
    }),
  )
})

it('an HTTP answer that also denies is always a deny', () => {
  const denials = fc.constantFrom<object>(
    { decision: 'deny' },
    { behavior: 'DENY' },
    { allow: false },
    { deny: true },
    { deny: ['because'] },
    { result: false },
    { decision: 'perhaps' },
  )
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('result', 'allow', 'ask', 'deny', 'decision', 'behavior', 'x'),
        fc.jsonValue(),
      ),
      denials,
      (said, denial) => {
        expect(readHttpAnswer({ ...said, ...denial })?.behavior ?? 'deny').toBe('deny')
      },
    ),
  )
})
