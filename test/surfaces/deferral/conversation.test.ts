import { describe, expect, it } from 'vitest'
import { loadedToolsIn } from 'toolcrib'
import { openCrib } from '../../scenarios/open-crib.js'
import { idsOf, tools } from './make-tools.js'

const found = (...loaded: string[]) => ({
  schema_version: '0.2.0',
  query: 'select:x',
  query_type: 'select',
  matches: loaded,
  toolcrib: { loaded },
})
const asText = (...loaded: string[]): string => JSON.stringify(found(...loaded))
const reference = (name: string) => ({ type: 'tool_reference', tool_name: name })

describe('tools that were loaded in a conversation are found again', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing', [], []],
    ['no conversation', undefined, []],
    [
      'OpenAI chat',
      [
        { role: 'user', content: 'hi' },
        { role: 'tool', tool_call_id: '1', content: asText('a', 'b') },
      ],
      ['a', 'b'],
    ],
    ['OpenAI responses', [{ type: 'function_call_output', call_id: '1', output: asText('a') }], ['a']],
    [
      'Anthropic, a text',
      [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: asText('a') }] },
          ],
        },
      ],
      ['a'],
    ],
    [
      'Anthropic, references in a result',
      [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: '1', content: [reference('local__a')] }],
        },
      ],
      ['local__a'],
    ],
    [
      'Anthropic, its own search',
      [
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_search_tool_result',
              tool_use_id: '1',
              content: {
                type: 'tool_search_tool_search_result',
                tool_references: [reference('a'), reference('b')],
              },
            },
          ],
        },
      ],
      ['a', 'b'],
    ],
    [
      'AI SDK',
      [
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolName: 'tool__search', output: { type: 'json', value: found('a') } },
          ],
        },
      ],
      ['a'],
    ],
    [
      'MCP',
      [{ content: [{ type: 'text', text: 'Found:\n' + asText('a') }], structuredContent: found('a', 'b') }],
      ['a', 'b'],
    ],
    ['a text within a text', [{ content: JSON.stringify({ content: [{ text: asText('a') }] }) }], ['a']],
    [
      'in their order, once each',
      [{ content: asText('b') }, { content: asText('a', 'b') }, { content: [reference('c')] }],
      ['b', 'a', 'c'],
    ],
    [
      'similar texts',
      [
        { toolcrib: { loaded: ['x'] } },
        { content: '{"toolcrib": {"loaded": ["x"' },
        { type: 'tool_reference' },
        { matches: [], toolcrib: { loaded: [1, null] } },
      ],
      [],
    ],
  ])('%s', (_title, conversation, names) => {
    expect(loadedToolsIn(conversation)).toEqual(names)
  })

  it('a pattern is ignored, because anyone may have written it', async () => {
    const messages = [
      { content: [reference('*'), reference('local.*'), reference('c')] },
      { content: asText('*') },
    ]
    expect(loadedToolsIn(messages)).toEqual(['c'])
  })

  it('of very many, the newest are found', () => {
    const many = Array.from({ length: 1_200 }, (_, index) => ({ content: [reference(`t${index}`)] }))
    const names = loadedToolsIn(many)
    expect(names).toHaveLength(1_000)
    expect([names[0], names.at(-1)]).toEqual(['t200', 't1199'])
    const long = [{ content: [reference('old')] }, Array(1_000_000).fill(0), { content: [reference('new')] }]
    expect(loadedToolsIn({ messages: long })).toEqual(['new'])
  })

  it('endless input is bounded', () => {
    const circle: Record<string, unknown> = { ...found('a') }
    circle['self'] = circle
    expect(loadedToolsIn([circle])).toEqual(['a'])
    let deep: unknown = found('deep')
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(loadedToolsIn(deep)).toEqual([])
  })

  it('they are loaded where the caller may see them, after the tools in the prompt', async () => {
    const crib = await openCrib({
      tools: tools('a', 'b', 'c', 'secret'),
      permission: { deny: ['local.secret'] },
    })
    const messages = [{ role: 'tool', content: asText('local.c', 'local.secret', 'local.a', 'gone') }]
    const deferral = { budgetTokens: 50, always: ['b'] }
    const surface = await crib.surface({ scope: 'turn', deferral, load: loadedToolsIn(messages) })
    expect(idsOf(surface)).toEqual(['local.b', 'local.c', 'local.a'])
  })
})
