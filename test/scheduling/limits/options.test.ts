import { describe, expect, it } from 'vitest'
import { createCrib, memoryStore, type CribOptions } from 'toolcrib'
import { limitDimensions } from '../../../src/scheduling/limits/limit-rule.js'
import { breakerSchema, limitSchema } from '../../../src/platform/config/schema/limit-schema.js'
import { createPlace, workshop } from '../../edges/cli/run-cli.js'

describe('an invalid limit', () => {
  it.each<[object, string]>([
    [{ perMinute: 1 }, 'limits[0]: "by" must be tool, source, tenant or actor, or a list of them.'],
    [
      { by: 'tol', perMinute: 1 },
      '"by" must be tool, source, tenant or actor, or a list of them; did you mean "tool"?',
    ],
    [{ by: [], perMinute: 1 }, '"by" must be tool,'],
    [{ by: ['tool', 'actors'], perMinute: 1 }, 'did you mean "actor"?'],
    [{ by: ['tool', 'tool'], perMinute: 1 }, '"by" must be tool,'],
    [{ by: 'tool' }, 'limits[0] limits nothing; give it "perMinute", "concurrent" or "perRun".'],
    [{ by: 'tool', perMinut: 1 }, 'limits[0] has no option "perMinut"; did you mean "perMinute"?'],
    [{ by: 'tool', perMinute: 0 }, '"perMinute" must be a whole number above 0, not 0. A deny rule refuses'],
    [{ by: 'tool', perMinute: 1.5 }, '"perMinute" must be a whole number above 0, not 1.5.'],
    [{ by: 'tool', perMinute: '60' }, '"perMinute" must be a number, not the text "60".'],
    [{ by: 'tool', concurrent: -1 }, '"concurrent" must be a whole number above 0, not -1.'],
    [{ by: 'tool', perRun: Infinity }, '"perRun" must be a whole number above 0, not Infinity.'],
    [{ by: 'tool', perMinute: 1, burst: 0 }, '"burst" must be a whole number above 0, not 0.'],
    [{ by: 'tool', concurrent: 1, burst: 2 }, '"burst" says how "perMinute" begins; give it one'],
    [{ by: 'tool', perMinute: 1, over: 'queue' }, '"over" must be "wait" or "refuse".'],
    [{ by: 'tool', perRun: 1, over: 'wait' }, 'never comes back, so nobody can wait; leave "over" out.'],
    [
      { by: 'tool', perRun: 1, maxWaitMs: 5 },
      '"maxWaitMs" is how long to wait for "perMinute", and nobody waits',
    ],
    [{ by: 'tool', perMinute: 1, over: 'refuse', maxWaitMs: 5 }, 'nobody waits here; leave it out.'],
    [{ by: 'tool', perMinute: 1, maxWaitMs: -1 }, '"maxWaitMs" must not be below 0.'],
    [{ by: 'tool', perMinute: 1, of: 5 }, '"of" must be a name, a pattern with *, or a list of them.'],
    [{ by: 'tool', perMinute: 1, of: [] }, '"of" must be a name,'],
    [{ by: 'tool', perMinute: 1, of: { tools: 'x' } }, '"of" has no option "tools"; did you mean "tool"?'],
    [{ by: 'tool', perMinute: 1, of: { tool: '' } }, '"of.tool" must be a name,'],
    [
      { by: ['actor', 'tool'], perMinute: 1, of: 'web.*' },
      '"by" is a list, so "of" must say which of them it means, such as { actor: … }.',
    ],
  ])('%j is refused in one sentence', async (limit, sentence) => {
    const options = { store: memoryStore(), limits: [limit] } as CribOptions
    await expect(createCrib(options)).rejects.toThrow(sentence)
    await expect(createCrib(options)).rejects.toThrow('createCrib: limits[0]')
  })

  it.each<[unknown, string]>([
    [true, 'createCrib: "breaker" must be an object, not true; {} has the usual numbers, false is none.'],
    [5, 'createCrib: "breaker" takes an object of options, not the number 5.'],
    [{ failure: 5 }, 'has no option "failure"; did you mean "failures"?'],
    [{ failures: 0 }, '"failures" must be a whole number above 0, not 0.'],
    [{ openMs: -1 }, '"openMs" must be a whole number above 0, not -1.'],
    [{ sources: 'mcp' }, '"sources" must be a list of texts'],
    [{ sources: [] }, '"sources" must be a name, a pattern with *, or a list of them.'],
  ])('the breaker %j is refused in one sentence', async (breaker, sentence) => {
    await expect(createCrib({ store: memoryStore(), breaker } as CribOptions)).rejects.toThrow(sentence)
  })

  it('the error names the second of two limits', async () => {
    const limits = [{ by: 'tool', perMinute: 1 }, { by: 'tool' }] as const
    await expect(createCrib({ store: memoryStore(), limits })).rejects.toThrow('limits[1] limits nothing')
  })
})

describe('limits in a config', () => {
  it('have the same fields as in code', () => {
    const [one, list] = limitSchema.properties.by.anyOf
    expect(one.enum).toEqual(limitDimensions)
    expect(list.items.enum).toEqual(limitDimensions)
    expect(breakerSchema.properties.failures.default).toBe(5)
  })

  it.each<[string, RegExp]>([
    ['limits:\n  - by: tool\n', /toolcrib\.yaml:3: limits\[0\] limits nothing; give it "perMinute"/],
    ['limits:\n  - by: tol\n    perMinute: 1\n', /yaml:3: "limits\[0\]\.by" must be .*did you mean "tool"/s],
    [
      'limits:\n  - by: tool\n    perMinute: 1\n  - by: [tool, actor]\n    of: web.*\n    perMinute: 1\n',
      /yaml:5: limits\[1\]: "by" is a list/,
    ],
    ['breaker: { failurs: 2 }\n', /yaml:2: unknown key "failurs" in breaker; did you mean "failures"\?/],
  ])('%j is reported with its line', async (text, sentence) => {
    const { code, stderr } = await createPlace(`tools: ['${workshop}']\n${text}`).run(['tools'])
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\n\s+/g, ' ')).toMatch(sentence)
  })
})
