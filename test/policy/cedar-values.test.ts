import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askEngine, cedarEngine } from 'toolcrib'
import { toCedarRecord } from '../../src/policy/engines/cedar/to-cedar-value.js'
import { engineRequest } from './requests.js'
import { engineVersion } from '../crib/records/version-of.js'

fc.configureGlobal({ seed: 1 })

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__entity', '__extn', '__expr', '\ud800', -0, 2 ** 53, 1e308, 0.1),
)
const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__entity', '__extn', '__expr', '__proto__', ''),
)
const input = fc.dictionary(key, fc.oneof(odd, fc.dictionary(key, odd), fc.array(odd)))

it('Cedar accepts every input', async () => {
  const engine = cedarEngine({
    policies:
      '@id("seen") permit (principal, action, resource) when { context.input has seen && context.input.seen == 1 };',
    onUnseenInput: 'allow',
  })
  await engine.check()
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const verdict = await askEngine(engine, engineRequest({ input: { ...given, seen: 1 } }))
      expect(verdict).toMatchObject({
        behavior: 'allow',
        policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'seen')],
      })
    }),
    { numRuns: 500 },
  )
  await engine.close!()
})

it('the Cedar value is the input without the parts listed as omitted', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (given) => {
      const { value, nulls, unseen } = toCedarRecord(given)
      if (nulls.length === 0 && unseen.length === 0) expect(value).toEqual(given)
      else expect(value).not.toEqual(given)
    }),
  )
})
