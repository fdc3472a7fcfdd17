import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { toolFormats, toolList } from 'toolcrib/formats'
import { openCrib } from '../../scenarios/open-crib.js'
import { deferredTools, weather } from './many-tools.js'

const schema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Its name.' } },
  required: ['city'],
  additionalProperties: false,
}

async function place() {
  const crib = await openCrib({ tools: [weather] })
  return crib.surface({ scope: 'turn' })
}

describe('a list of tools', () => {
  it('of OpenAI chat completions', async () => {
    expect(toolList(await place(), 'openai')).toEqual([
      {
        type: 'function',
        function: {
          name: 'city__weather',
          description: 'Tells the weather of a city.',
          parameters: schema,
          strict: true,
        },
      },
    ])
  })

  it('of OpenAI responses, with strict turned off explicitly', async () => {
    expect(toolList(await place(), 'openai-responses')).toEqual([
      {
        type: 'function',
        name: 'city__weather',
        description: 'Tells the weather of a city.',
        parameters: schema,
        strict: true,
      },
    ])
  })

  it('of Anthropic', async () => {
    expect(toolList(await place(), 'anthropic')).toEqual([
      { name: 'city__weather', description: 'Tells the weather of a city.', input_schema: schema },
    ])
  })

  it('of Gemini, with the whole schema', async () => {
    expect(toolList(await place(), 'gemini')).toEqual([
      {
        functionDeclarations: [
          {
            name: 'city__weather',
            description: 'Tells the weather of a city.',
            parametersJsonSchema: schema,
          },
        ],
      },
    ])
  })

  it('of the AI SDK, by name, with its JSON Schema mark', async () => {
    const list = toolList(await place(), 'ai-sdk')
    expect(Object.keys(list)).toEqual(['city__weather'])
    const { description, inputSchema } = list['city__weather']!
    expect(description).toBe('Tells the weather of a city.')
    expect(inputSchema.jsonSchema).toEqual(schema)
    expect(Reflect.get(inputSchema, Symbol.for('vercel.ai.schema'))).toBe(true)
    expect('validate' in inputSchema).toBe(true)
  })

  it('of MCP, with the facts that hold for every call', async () => {
    expect(toolList(await place(), 'mcp')).toEqual([
      {
        name: 'city__weather',
        title: 'Weather',
        description: 'Tells the weather of a city.',
        inputSchema: schema,
        outputSchema: {
          type: 'object',
          properties: { degrees: { type: 'number' } },
          required: ['degrees'],
        },
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
    ])
  })

  it('sets strict where a tool does', async () => {
    const crib = await openCrib({
      tools: [defineTool({ name: 'now', description: 'Tells the time.', strict: true, execute: () => 1 })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(toolList(surface, 'openai')[0]!.function.strict).toBe(true)
    expect(toolList(surface, 'openai-responses')[0]).toMatchObject({ strict: true })
    expect(toolList(surface, 'anthropic')[0]!.strict).toBe(true)
  })

  it.each([
    ['that is declared', false, {}, false],
    ['that is declared for a loose schema', true, { n: { type: 'number', minimum: 1 } }, true],
    ['that is not declared, for a loose schema', undefined, { n: { type: 'number' } }, false],
  ] as const)('sends the strict %s', async (_what, strict, properties, sent) => {
    const input = { jsonSchema: { type: 'object', properties } } as const
    const given = { ...(strict !== undefined && { strict }), input }
    const crib = await openCrib({
      tools: [defineTool({ name: 'now', description: 'Tells the time.', ...given, execute: () => 1 })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(toolList(surface, 'openai')[0]!.function.strict ?? false).toBe(sent)
    expect(toolList(surface, 'openai-responses')[0]).toMatchObject({ strict: sent })
    expect(toolList(surface, 'anthropic')[0]!.strict).toBe(strict)
    expect(toolList(surface, 'ai-sdk')['local__now']!.strict).toBe(strict)
  })

  it.each(toolFormats)('in the format %s, names resolve to the tool', async (format) => {
    const crib = await openCrib({ tools: [weather] })
    const surface = await crib.surface({ scope: 'turn' })
    expect(JSON.stringify(toolList(surface, format))).toContain('city')
    const result = await crib.call(surface, { name: 'city__weather', input: { city: 'Rome' } })
    expect(result.structured_content).toEqual({ degrees: 21 })
  })

  it('refuses a tool whose input is no object, in a sentence with the next step', async () => {
    const crib = await openCrib({
      tools: [
        defineTool({
          name: 'shout',
          description: 'Shouts.',
          input: { jsonSchema: { type: 'string' } },
          execute: () => '!',
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(() => toolList(surface, 'openai')).toThrow(/"local\.shout" is not an object.*exclude/)
  })

  it('accepts a tool whose input may be an object', async () => {
    const open = defineTool({
      name: 'open',
      description: 'Opens.',
      input: { jsonSchema: { type: ['object', 'null'], properties: { what: { type: 'string' } } } },
      execute: () => 1,
    })
    const surface = await (await openCrib({ tools: [open] })).surface({ scope: 'turn' })
    expect(toolList(surface, 'openai')[0]!.function.parameters).toEqual({
      type: 'object',
      properties: { what: { type: 'string' } },
    })
  })

  it('refuses an unknown format, and a value that is no surface', async () => {
    const surface = await place()
    expect(() => toolList(surface, 'claude' as 'anthropic')).toThrow(
      'toolList: there is no format "claude"; it is one of openai, openai-responses, anthropic, gemini, ai-sdk, mcp.',
    )
    expect(() => toolList({} as never, 'openai')).toThrow(/takes a surface first/)
  })
})

describe('a list with deferred tools', () => {
  async function deferred(way: 'load' | 'pair' | 'native') {
    const crib = await openCrib({ tools: [weather, ...deferredTools(6)] })
    return { crib, surface: await crib.surface({ scope: 'turn', deferral: { way } }) }
  }

  it.each(toolFormats)('in the format %s, only grows at its end', async (format) => {
    const { crib, surface } = await deferred('load')
    const lists = [JSON.stringify(toolList(surface, format))]
    for (const name of ['shop__order_4', 'shop__order_1', 'shop__order_5']) {
      await crib.call(surface, { name: 'tool__search', input: { query: `select:${name}` } })
      lists.push(JSON.stringify(toolList(surface, format)))
    }
    for (const [index, list] of lists.slice(1).entries()) {
      const before = lists[index]!.replace(/[\]}]+$/, '')
      expect(list.startsWith(before)).toBe(true)
      expect(list.length).toBeGreaterThan(before.length)
    }
  })

  it.each(toolFormats)('in the format %s, never changes where calls go through tool.call', async (format) => {
    const { crib, surface } = await deferred('pair')
    const before = JSON.stringify(toolList(surface, format))
    expect(before).toContain('tool__call')
    await crib.call(surface, { name: 'tool.search', input: { query: 'select:shop__order_4' } })
    expect(JSON.stringify(toolList(surface, format))).toBe(before)
  })

  it('of Anthropic marks tools that its provider keeps out of the prompt, and never changes', async () => {
    const { crib, surface } = await deferred('native')
    const before = toolList(surface, 'anthropic')
    expect(before.filter(({ defer_loading }) => defer_loading).map(({ name }) => name)).toEqual(
      Array.from({ length: 6 }, (_, index) => `shop__order_${index}`),
    )
    expect(before.find(({ name }) => name === 'tool__search')).not.toHaveProperty('defer_loading')
    await crib.call(surface, { name: 'tool__search', input: { query: 'select:shop__order_4' } })
    expect(toolList(surface, 'anthropic')).toEqual(before)
  })

  it('of OpenAI responses has a search that runs here, and its results have definitions', async () => {
    const { crib, surface } = await deferred('native')
    const before = toolList(surface, 'openai-responses')
    expect(before.map(({ type }) => type)).toEqual(['function', 'tool_search'])
    expect(before[1]).toEqual({
      type: 'tool_search',
      execution: 'client',
      description: expect.stringContaining('Find'),
      parameters: expect.objectContaining({ type: 'object', required: ['query'] }),
    })
    await crib.call(surface, { name: 'tool.search', input: { query: 'select:shop__order_4' } })
    expect(toolList(surface, 'openai-responses')).toEqual(before)
  })

  it.each(['anthropic', 'openai-responses'] as const)(
    'in the format %s, needs the search if the provider loads found tools',
    async (format) => {
      for (const [options, request] of [
        [{ permission: { deny: ['tool.search'] } }, {}],
        [{}, { exclude: ['tool.search'] }],
      ] as const) {
        const crib = await openCrib({ tools: deferredTools(2), ...options })
        const surface = await crib.surface({ scope: 'turn', deferral: { way: 'native' }, ...request })
        expect(() => toolList(surface, format)).toThrow(
          /tool\.search, which is not on this surface; do not deny/,
        )
      }
      const crib = await openCrib({ tools: [weather] })
      const surface = await crib.surface({ scope: 'turn', deferral: { way: 'native' } })
      expect(toolList(surface, format)).toHaveLength(1)
    },
  )

  it('of OpenAI responses refuses a deferred tool that could not be written when it is found', async () => {
    const shout = defineTool({
      name: 'shout',
      description: 'Shouts.',
      shouldDefer: true,
      input: { jsonSchema: { type: 'string' } },
      execute: () => '!',
    })
    const crib = await openCrib({ tools: [shout] })
    const surface = await crib.surface({ scope: 'turn', deferral: { way: 'native' } })
    expect(() => toolList(surface, 'openai-responses')).toThrow(/"local\.shout" is not an object/)
  })

  it.each(['openai', 'gemini', 'ai-sdk', 'mcp'] as const)(
    'in the format %s, whose provider loads no tools, names the other ways',
    async (format) => {
      const { surface } = await deferred('native')
      expect(() => toolList(surface, format)).toThrow(/no loading of its own.*use "load" or "pair"/)
    },
  )
})
