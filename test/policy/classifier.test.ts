import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  askClassifier,
  defineClassifier,
  httpClassifier,
  withClassifier,
  type Verdict,
  type ClassifierAnswer,
  type ClassifierDefinition,
} from 'toolcrib'
import { schemas, toEmitSchema } from '../../src/contract/index.js'
import { pendingCheck } from '../../src/policy/deciders/classifier.js'
import { classifierRequest } from './requests.js'
import { bodyOf, startServer } from './start-server.js'
import { versionOf } from '../crib/records/version-of.js'

const says = (answer: unknown, more: Partial<ClassifierDefinition> = {}) =>
  defineClassifier({ id: 'danger', classify: () => answer as ClassifierAnswer, ...more })

const after = async (classifier: ClassifierDefinition, verdict: Verdict, text = 'ls') =>
  withClassifier(verdict, await askClassifier(classifier, classifierRequest({ text })))

const open = { behavior: 'passthrough' } as const
const defaultAsk = { behavior: 'ask', isDefault: true } as const
const ruleAsk = { behavior: 'ask', reason: { type: 'rule', message: 'a rule asks' } } as const
const allow = { behavior: 'allow' } as const
const deny = { behavior: 'deny', reason: { type: 'rule', message: 'a rule denies' } } as const

describe('what a classifier’s answer does to passthrough, default ask, a rule’s ask, allow, deny', () => {
  const both = { canApprove: true, canDeny: true }
  it.each<[string, ClassifierDefinition, string[]]>([
    [
      'safe and sure, may approve',
      says({ verdict: 'safe', confidence: 0.9 }, { canApprove: true }),
      ['allow', 'allow', 'ask', 'allow', 'deny'],
    ],
    [
      'safe and sure, only recommends',
      says({ verdict: 'safe', confidence: 1 }, { canDeny: true }),
      ['passthrough', 'ask', 'ask', 'allow', 'deny'],
    ],
    [
      'safe, not sure enough',
      says({ verdict: 'safe', confidence: 0.89 }, both),
      ['passthrough', 'ask', 'ask', 'allow', 'deny'],
    ],
    [
      'safe, sure enough for a lower mark',
      says({ verdict: 'safe', confidence: 0.5 }, { ...both, approveAt: 0.5 }),
      ['allow', 'allow', 'ask', 'allow', 'deny'],
    ],
    [
      'unsafe and sure, may deny',
      says({ verdict: 'unsafe', confidence: 0.9 }, both),
      ['deny', 'deny', 'deny', 'deny', 'deny'],
    ],
    [
      'unsafe and sure, only recommends',
      says({ verdict: 'unsafe', confidence: 1 }),
      ['ask', 'ask', 'ask', 'ask', 'deny'],
    ],
    [
      'unsafe, not sure enough',
      says({ verdict: 'unsafe', confidence: 0.2 }, both),
      ['ask', 'ask', 'ask', 'ask', 'deny'],
    ],
    [
      'unsure',
      says({ verdict: 'unsure', confidence: 1 }, both),
      ['passthrough', 'ask', 'ask', 'allow', 'deny'],
    ],
    ['unreadable', says({ verdict: 'fine' }, both), ['passthrough', 'ask', 'ask', 'allow', 'deny']],
    [
      'unreadable, but had to answer',
      says('fine', { ...both, mustAnswer: true }),
      ['ask', 'ask', 'ask', 'ask', 'deny'],
    ],
  ])('%s', async (_what, classifier, behaviors) => {
    const merged = await Promise.all(
      [open, defaultAsk, ruleAsk, allow, deny].map((verdict) => after(classifier, verdict)),
    )
    expect(merged.map(({ behavior }) => behavior)).toEqual(behaviors)
    // The next classifier's allow does not fill an ask that a classifier made.
    const approve = says({ verdict: 'safe', confidence: 1 }, { id: 'kind', canApprove: true })
    const later = await Promise.all(merged.map((verdict) => after(approve, verdict)))
    const expected = behaviors.map((behavior, index) =>
      behavior === 'passthrough' || (index === 1 && behavior === 'ask' && behaviors[0] !== 'ask')
        ? 'allow'
        : behavior,
    )
    expect(later.map(({ behavior }) => behavior)).toEqual(expected)
  })

  it('a classifier that saw nothing of the input does not approve it', async () => {
    const approve = says({ verdict: 'safe', confidence: 1 }, { canApprove: true })
    expect((await after(approve, open, ' ')).behavior).toBe('passthrough')
    expect((await after(approve, open, 'ls')).behavior).toBe('allow')
  })
})

describe('a classifier that fails', () => {
  it.each<[string, unknown]>([
    ['a confidence above 1', { verdict: 'safe', confidence: 1.1 }],
    ['a confidence that is no number', { verdict: 'safe', confidence: '1' }],
    ['NaN', { verdict: 'safe', confidence: Number.NaN }],
    ['no confidence', { verdict: 'safe' }],
    ['another word', { verdict: 'allow', confidence: 1 }],
    ['nothing', undefined],
    [
      'an answer that throws when it is read',
      Object.defineProperty({ confidence: 1 }, 'verdict', {
        get() {
          throw new Error('no')
        },
      }),
    ],
  ])('%s fills nothing', async (_what, answer) => {
    const verdict = await after(says(answer, { canApprove: true, canDeny: true }), open)
    expect(verdict).toMatchObject({
      behavior: 'passthrough',
      classifier_ref: versionOf('classifier:danger'),
      classifier_reason: 'It gave no answer that can be read.',
    })
    expect(verdict).not.toHaveProperty('confidence')
  })

  it('a classifier that throws, hangs or is canceled fills nothing, and the record says why', async () => {
    const cancel = new AbortController()
    cancel.abort()
    const outcomes = await Promise.all([
      askClassifier(
        defineClassifier({
          id: 'a',
          classify: () => {
            throw new Error('no model')
          },
        }),
        classifierRequest(),
      ),
      askClassifier(
        defineClassifier({ id: 'b', timeoutMs: 5, mustAnswer: true, classify: () => new Promise(() => {}) }),
        classifierRequest(),
      ),
      askClassifier(says({ verdict: 'safe', confidence: 1 }, { canApprove: true }), classifierRequest(), {
        signal: cancel.signal,
      }),
    ])
    expect(outcomes.map(({ opinion, said }) => [opinion, said.ok || said.problem])).toEqual([
      [undefined, 'failed (no model)'],
      ['ask', 'did not answer within 5 ms'],
      [undefined, 'was not waited for, because the call was canceled'],
    ])
  })
})

describe('the record', () => {
  const isDecision = new Ajv2020({ allowUnionTypes: true }).compile(
    toEmitSchema(schemas.tool_permission_decision),
  )
  const recordOf = (verdict: Verdict) => {
    const { isDefault: _isDefault, updated_input: _input, ...fields } = verdict
    return {
      schema_version: '0.2.0',
      decision_id: 'd1',
      invocation_id: 'inv_1',
      decided_at: '2026-01-01T00:00:00.000Z',
      ...fields,
    }
  }

  it('names the classifier, its confidence, its reason, and its permissions', async () => {
    const verdict = await after(
      says({ verdict: 'unsafe', confidence: 0.7, reason: 'It removes files.' }, { canDeny: true }),
      allow,
    )
    expect(verdict).toEqual({
      behavior: 'ask',
      isDefault: false,
      source: 'toolcrib.classifier',
      reason: {
        type: 'classifier',
        message: 'The classifier finds the call unsafe (confidence 0.7): It removes files.',
        rule_ref: versionOf('classifier:danger'),
      },
      classifier_ref: versionOf('classifier:danger'),
      confidence: 0.7,
      classifier_reason: 'It removes files.',
      toolcrib: {
        classifiers: [
          {
            classifier_ref: versionOf('classifier:danger'),
            can: ['deny'],
            verdict: 'unsafe',
            confidence: 0.7,
            reason: 'It removes files.',
          },
        ],
      },
    })
    expect(isDecision(recordOf(verdict)), JSON.stringify(isDecision.errors)).toBe(true)
  })

  it("keeps the rule's decision if a classifier changes nothing", async () => {
    const verdict = await after(says({ verdict: 'unsafe', confidence: 0.5 }), ruleAsk)
    expect(verdict).toMatchObject({
      ...ruleAsk,
      classifier_ref: versionOf('classifier:danger'),
      confidence: 0.5,
    })
  })

  it('names in the standard fields the classifier that last changed the verdict, and lists the others beside', async () => {
    const first = await after(
      says({ verdict: 'unsure', confidence: 0.3, reason: 'Hm.' }, { id: 'one' }),
      open,
    )
    const second = await after(
      says({ verdict: 'safe', confidence: 0.99 }, { id: 'two', canApprove: true }),
      first,
    )
    const third = await after(says('?', { id: 'three' }), second)
    expect(third).toMatchObject({
      behavior: 'allow',
      classifier_ref: versionOf('classifier:two'),
      confidence: 0.99,
    })
    expect(third).not.toHaveProperty('classifier_reason')
    expect(third.toolcrib!.classifiers!.map((each) => [each.classifier_ref, each.verdict, each.can])).toEqual(
      [
        [versionOf('classifier:one'), 'unsure', ['recommend']],
        [versionOf('classifier:two'), 'safe', ['approve']],
        [versionOf('classifier:three'), undefined, ['recommend']],
      ],
    )
    expect(isDecision(recordOf(third)), JSON.stringify(isDecision.errors)).toBe(true)
  })

  it('says that a check is pending until that classifier has answered', async () => {
    const classifier = says({ verdict: 'unsure', confidence: 0 }, { canApprove: true, canDeny: true })
    const asked = { ...open, ...pendingCheck(classifier) }
    expect(asked.pending_classifier_check).toEqual({
      classifier_ref: versionOf('classifier:danger'),
      can: ['approve', 'deny'],
    })
    expect(isDecision(recordOf(asked)), JSON.stringify(isDecision.errors)).toBe(true)
    expect(await after(says({ verdict: 'unsure', confidence: 0 }, { id: 'other' }), asked)).toHaveProperty(
      'pending_classifier_check',
    )
    expect(await after(classifier, asked)).not.toHaveProperty('pending_classifier_check')
  })
})

describe('httpClassifier', () => {
  it('asks an endpoint and sends it no input except the text', async () => {
    let body: unknown
    const url = await startServer((request, response) => {
      void bodyOf(request).then((read) => {
        body = read
        response.end(JSON.stringify({ result: { verdict: 'unsafe', confidence: 1, reason: 'no' } }))
      })
    })
    const verdict = await after(httpClassifier({ id: 'remote', url, canDeny: true }), allow)
    expect(verdict).toMatchObject({ behavior: 'deny', classifier_ref: versionOf('classifier:remote') })
    expect(body).toEqual({ input: classifierRequest({ text: 'ls' }) })
  })

  it.each<[string, string | undefined]>([
    ['garbage', 'garbage'],
    ['an answer without a verdict', '{}'],
    ['a result that is null', '{"result": null}'],
    ['no answer', undefined],
  ])('%s fills nothing', async (_what, answer) => {
    const url = await startServer((_request, response) => void (answer !== undefined && response.end(answer)))
    const timeoutMs = answer === undefined ? 30 : 20_000
    const classifier = httpClassifier({ id: 'remote', url, canApprove: true, timeoutMs })
    expect((await after(classifier, open)).behavior).toBe('passthrough')
    expect((await after({ ...classifier, mustAnswer: true }, allow)).behavior).toBe('ask')
  })
})

it.each<[unknown, string]>([
  [{ classify: () => {} }, 'A classifier needs an "id": a text by which records name it.'],
  [{ id: 'x' }, 'The classifier "x" has no "classify": give it a function of the request.'],
  [
    { id: 'x', classify: () => {}, denyAt: 90 },
    'The classifier "x": "denyAt" is a confidence from 0 to 1, so 90 is never reached.',
  ],
  [
    { id: 'x', classify: () => {}, canAprove: true },
    'A classifier has no option "canAprove"; did you mean "canApprove"?',
  ],
])('%j is refused when it is written', (options, sentence) => {
  expect(() => defineClassifier(options as never)).toThrow(new TypeError(sentence))
})
