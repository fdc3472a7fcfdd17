import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { createCatalog } from '../../src/catalog/catalog.js'
import { providerName } from '../../src/catalog/provider-name.js'

const COUNT = 20_000

/** Similar ids: long common prefixes, characters that must be replaced, letters of every script. */
const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 90 }),
  fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }),
  fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'ab._-') }),
  fc
    .array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('.')),
  fc
    .nat({ max: 1_000_000 })
    .map((n) => `mcp.a_server_with_a_rather_long_name.and_a_tool_whose_name_is_long.${n}`),
  fc.nat({ max: 1_000_000 }).map((n) => `Ωμέγα.функция.工具.${n}`),
)

const randomIds = (seed: number): string[] => [
  ...new Set(fc.sample(id, { numRuns: COUNT + COUNT / 2, seed })),
]

describe('provider-safe names', () => {
  const ids = randomIds(42)

  it('have at most 64 of the characters that every provider accepts', () => {
    expect(ids.length).toBeGreaterThan(COUNT)
    for (const each of ids) expect(providerName(each), each).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })

  it('are unique', () => {
    const names = new Map<string, string>()
    for (const each of ids) {
      const name = providerName(each)
      expect(names.get(name), `${each} beside ${names.get(name)}`).toBeUndefined()
      names.set(name, each)
    }
  })

  it('keep a clean id readable', () => {
    expect(providerName('files.read')).toBe('files__read')
    expect(providerName('mcp.github.search-issues')).toBe('mcp__github__search-issues')
    expect(providerName('tool_1')).toBe('tool_1')
    expect(providerName('a__b')).not.toBe(providerName('a.b'))
    expect(providerName('a_.b')).not.toBe(providerName('a._b'))
  })

  it('depend on the id alone, and resolve to it in any order of registration', () => {
    const some = ids.filter((each) => !each.includes('__')).slice(0, 2000)
    const draft = (toolId: string) =>
      defineTool({ name: 'x', toolId, description: 'A tool.', execute: () => toolId })
    const forwards = createCatalog()
    const backwards = createCatalog()
    forwards.add('s', some.map(draft))
    backwards.add('s', some.toReversed().map(draft))
    for (const each of some) {
      const name = forwards.get(each)!.providerName
      expect(backwards.get(each)!.providerName).toBe(name)
      for (const catalog of [forwards, backwards]) {
        const resolved = catalog.resolve(name)
        expect(resolved && 'found' in resolved && resolved.found.toolId).toBe(each)
      }
    }
  })
})
