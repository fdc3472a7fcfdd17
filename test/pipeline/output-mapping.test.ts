import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { defineTool, toolOutput } from 'toolcrib'
import { schemas, toEmitSchema } from '../../src/contract/index.js'
import { onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'

const isResult = new Ajv2020({ allowUnionTypes: true }).compile(toEmitSchema(schemas.tool_result))

onBothStores('outputs', (newStore) => {
  async function give(execute: () => unknown, more: object = {}) {
    const crib = await openCrib({
      store: newStore(),
      results: { maxInlineChars: 1000 },
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          execute,
          ...more,
        }),
      ],
    })
    const made = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    return { result: await made, recorded: await crib.result(made.invocationId) }
  }

  it('a list from toModel is shown as JSON', async () => {
    const { result } = await give(() => ({ items: ['a', 'b'] }), {
      toModel: ({ items }: { items: string[] }) => items,
    })
    expect(isResult(result), JSON.stringify(isResult.errors)).toBe(true)
    expect(shownText(result)).toContain('a')
  })

  it('a text inside a wrapped output is checked against the output schema', async () => {
    const output = { jsonSchema: { type: 'string' } }
    expect(await give(() => 'hello', { output })).toMatchObject({ result: { status: 'succeeded' } })
    expect(await give(() => toolOutput({ structured: 'hello' }), { output })).toMatchObject({
      result: { status: 'succeeded' },
    })
  })

  it('content of an unknown type makes no invalid record', async () => {
    const { result } = await give(() => toolOutput({ content: [{ type: 'poem' as 'text', text: 'roses' }] }))
    expect(isResult(result), JSON.stringify(isResult.errors)).toBe(true)
  })

  it('a Map is not recorded as an empty object', async () => {
    const { result } = await give(() => new Map([['a', 1]]))
    expect(result.structured_content).not.toEqual({})
  })

  it.each<[string, () => unknown, object]>([
    ['bytes in a block', () => toolOutput({ content: [{ type: 'image', data: 'A'.repeat(5000) }] }), {}],
    [
      'structured content beside a short text',
      () => toolOutput({ content: [{ type: 'text', text: 'short' }], structured: { all: 'A'.repeat(5000) } }),
      {},
    ],
    ['a summary for people', () => ({ a: 1 }), { toUi: () => 'A'.repeat(5000) }],
    ['transcript text', () => ({ a: 1 }), { transcriptText: () => 'A'.repeat(5000) }],
    ['a resource ref', () => toolOutput({ structured: 1, resourceRefs: [{ uri: 'A'.repeat(5000) }] }), {}],
  ])('the inline limit applies to %s', async (_what, execute, more) => {
    const { recorded } = await give(execute, more)
    expect(JSON.stringify(recorded).length).toBeLessThan(4000)
  })
})
