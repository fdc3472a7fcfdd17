import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { AGENT, REST, TOOL } from './broken/make-cases.js'
import { compileFiles, placesOf } from './compile-files.js'
import { schemaOpinion } from './schema-opinion.js'

// The specification is not part of the repository.
const page = fileURLToPath(new URL('../../../../../shared/spec/aml-tool-definition.md', import.meta.url))
const isThere = existsSync(page)
if (!isThere) console.info(`Skipped: the specification is not at ${page}.`)
const lines = isThere ? readFileSync(page, 'utf8').split('\n') : []

/** The stored page has lost the indentation of its examples: the level of each line of the complete example. */
const LEVELS = '0000001122221110012234434442122344455677677677677767753442011111222012212210'

/** The lines behind a title, until a line that ends them. */
function linesBehind(title: string, isEnd: (line: string, index: number) => boolean): string[] {
  const start = lines.findIndex((line) => line.startsWith(title)) + 1
  expect(start).toBeGreaterThan(0)
  const rest = lines.slice(start)
  return rest.slice(0, rest.findIndex(isEnd))
}

function completeExample(): string {
  const texts = linesBehind('Minimal complete example', (line, index) => line === '---' && index > 0)
  expect(texts).toHaveLength(LEVELS.length - 1)
  const matter = texts.map((text, index) => '  '.repeat(Number(LEVELS[index])) + text)
  return `${matter.join('\n')}\n---\n# Purpose\n`
}

/** The fields of one of the transports, indented by their place. */
function transportExample(type: string): string {
  const [first, ...fields] = linesBehind(`transport.type: "${type}"`, (line) => line.startsWith('|'))
  expect(first).toBe('transport:')
  let level = 1
  const texts = fields.map((text) => {
    if (/^(?:credentials|retry_policy):/.test(text)) level = 1
    const line = '  '.repeat(level) + text
    if (/^(?:credentials|retry_policy):$/.test(text)) level = 2
    return line
  })
  return `${texts.join('\n')}\n`
}

describe.skipIf(!isThere)('the examples of the specification', () => {
  it('the complete example compiles, with the warning that its own reference causes', async () => {
    const file = 'tools/search-product-kb.tool.md'
    const compiled = await compileFiles({
      [file]: completeExample(),
      'agents/helper.agent.md': AGENT.replace('search-kb', 'search-product-kb'),
    })
    expect(placesOf(compiled)).toEqual([`aml/service-account-on-rest-api ${file}:65:13`])
    expect(compiled.tools).toMatchObject([
      { toolId: 'search-product-kb', transport: { type: 'rest-api', timeout_ms: 8000 } },
    ])
    expect(compiled.agents).toHaveLength(1)
    expect(schemaOpinion(file, completeExample())).toEqual({ ok: true, errors: [] })
  })

  it.each(['rest-api', 'lambda', 'mcp', 'message-queue', 'database'])(
    'the transport %s compiles',
    async (type) => {
      const text = TOOL.replace(REST, () => transportExample(type))
        .replace('type: retrieval', 'type: action')
        .replace('side_effects: None', 'side_effects: Sends an email.')
      const compiled = await compileFiles({
        'tools/search-kb.tool.md': text,
        ...(type === 'database' && { 'tools/search-kb.sql': 'select :query' }),
        'agents/helper.agent.md': AGENT,
      })
      expect(compiled.problems).toEqual([])
      expect(compiled.tools).toMatchObject([{ transport: { type } }])
      expect(schemaOpinion('tools/search-kb.tool.md', text)).toEqual({ ok: true, errors: [] })
    },
  )
})
