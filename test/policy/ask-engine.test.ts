import { describe, expect, it } from 'vitest'
import { askEngine, createCrib, defineTool, memoryStore, toEngineRequest, type PolicyEngine } from 'toolcrib'
import { engineRequest } from './requests.js'
import { engineVersion } from '../crib/records/version-of.js'

const engine = (decide: PolicyEngine['decide']): PolicyEngine => ({ name: 'house', decide })

describe('askEngine', () => {
  it('answers synchronously if the engine does', () => {
    const verdict = askEngine(
      engine(() => ({ behavior: 'deny', message: 'closed today', policyRefs: ['hours'] })),
      engineRequest(),
    )
    expect(verdict).toEqual({
      behavior: 'deny',
      source: 'toolcrib.engine',
      reason: { type: 'policy', message: 'The policy engine "house" says deny: closed today' },
      policy_refs: [engineVersion('house'), engineVersion('house', 'hours')],
    })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a word', 'allow'],
    ['no behaviour', { message: 'fine' }],
    ['a behaviour that is none', { behavior: 'ALLOW' }],
    ['a passthrough', { behavior: 'passthrough' }],
    [
      'an answer that throws when it is read',
      Object.defineProperty({}, 'behavior', {
        get() {
          throw new Error('no')
        },
      }),
    ],
  ])('%s is a deny', async (_what, answer) => {
    for (const given of [answer, Promise.resolve(answer)]) {
      const verdict = await askEngine(
        engine(() => given as never),
        engineRequest(),
      )
      expect(verdict).toMatchObject({
        behavior: 'deny',
        reason: {
          message: 'The policy engine "house" gave no answer that can be read, so the call is denied.',
        },
      })
    }
  })

  it.each(['updated_input', 'content_blocks', 'policy_refs', 'obligations'])(
    'an answer with the key "%s", which an engine does not have, is a deny that names it',
    async (key) => {
      const verdict = await askEngine(
        engine(() => ({ behavior: 'allow', [key]: [] })),
        engineRequest(),
      )
      expect(verdict.behavior).toBe('deny')
      expect(verdict.reason!.message).toContain(`no key "${key}"`)
    },
  )

  it.each<[string, PolicyEngine['decide']]>([
    [
      'throws',
      () => {
        throw new Error('out of paper')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of paper'))],
    ['rejects with a text', () => Promise.reject('out of paper')],
  ])('an engine that %s has denied', async (_what, decide) => {
    expect(await askEngine(engine(decide), engineRequest())).toMatchObject({
      behavior: 'deny',
      reason: { message: 'The policy engine "house" failed (out of paper), so the call is denied.' },
    })
  })

  it('aborts an engine that never answers, and denies', async () => {
    let told: AbortSignal | undefined
    const silent = engine((_request, signal) => {
      told = signal
      return new Promise(() => {})
    })
    expect(await askEngine(silent, engineRequest(), { timeoutMs: 5 })).toMatchObject({
      behavior: 'deny',
      reason: { message: 'The policy engine "house" did not answer within 5 ms, so the call is denied.' },
    })
    expect(told?.aborted).toBe(true)
  })

  it("uses the engine's own timeout if the caller gives none", async () => {
    const silent: PolicyEngine = { name: 'house', timeoutMs: 3, decide: () => new Promise(() => {}) }
    const verdict = await askEngine(silent, engineRequest())
    expect(verdict.reason?.message).toContain('within 3 ms')
  })

  it('accepts a timeout beyond the range of a timer', async () => {
    const later = engine(() => new Promise((resolve) => setTimeout(() => resolve({ behavior: 'allow' }), 10)))
    expect((await askEngine(later, engineRequest(), { timeoutMs: 2 ** 40 })).behavior).toBe('allow')
  })

  it('does not wait for the engine once the call is canceled', async () => {
    const cancel = new AbortController()
    const waiting = askEngine(
      engine(() => new Promise(() => {})),
      engineRequest(),
      { signal: cancel.signal },
    )
    cancel.abort()
    const message =
      'The policy engine "house" was not waited for, because the call was canceled, so the call is denied.'
    expect(await waiting).toMatchObject({ behavior: 'deny', reason: { message } })
    const allow = engine(() => ({ behavior: 'allow' }))
    expect(await askEngine(allow, engineRequest(), { signal: cancel.signal })).toMatchObject({
      behavior: 'deny',
      reason: { message },
    })
  })

  it('truncates what an engine writes before it is recorded', async () => {
    const verdict = await askEngine(
      engine(() => ({
        behavior: 'ask',
        message: 'x'.repeat(1e6),
        policyRefs: Array.from({ length: 1000 }, String),
      })),
      engineRequest(),
    )
    expect(verdict.reason!.message!.length).toBeLessThan(2100)
    expect(verdict.policy_refs).toHaveLength(101)
  })
})

it('a deny of an engine ends the call as blocked by policy, and the record names the engine', async () => {
  const crib = await createCrib({
    store: memoryStore(),
    tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 1 })],
    decider: (request) =>
      askEngine(
        engine(({ tool }) => ({ behavior: 'deny', message: `${tool.id} is closed`, policyRefs: ['hours'] })),
        toEngineRequest(request),
      ),
  })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
  const result = await call
  expect(result).toMatchObject({ status: 'denied', error: { error_class: 'policy_blocked' } })
  const story = await crib.story(call.invocationId)
  expect(story!.decisions.at(-1)).toMatchObject({
    behavior: 'deny',
    source: 'toolcrib.engine',
    policy_refs: [engineVersion('house'), engineVersion('house', 'hours')],
  })
  await crib.close()
})
