import { expect, it } from 'vitest'
import { defineTool, toolOutput } from 'toolcrib'
import { createGate, onBothStores, openCrib, shownText } from './open-crib.js'

const outputs: [string, unknown][] = [
  ['no bytes', new Uint8Array(0)],
  ['a Blob of nothing', new Blob([])],
  [
    'a wrapped Blob of nothing that would be a picture',
    toolOutput({ stream: new Blob([], { type: 'image/png' }) }),
  ],
  ['undefined', undefined],
  ['null', null],
  ['an empty text', ''],
  ['an empty wrapped output', toolOutput({})],
  ['wrapped content without blocks', toolOutput({ content: [] })],
]

const things: [string, unknown, unknown][] = [
  ['an empty list', [], []],
  ['an empty object', {}, {}],
  ['zero', 0, 0],
  ['false', false, false],
]

onBothStores(
  '[AT-SCEN-13] acceptance scenario 13: an empty success is distinguished from missing output',
  (newStore) => {
    async function callWith(execute: () => unknown, more: object = {}) {
      const crib = await openCrib({
        store: newStore(),
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
      const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
      return { crib, call, result: await call }
    }

    it.each(outputs)('[AT-PERSIST-03] %s is a success with an explicit marker', async (_name, output) => {
      const { crib, call, result } = await callWith(() => output)
      expect(result).toMatchObject({ status: 'succeeded', is_error: false, content: [] })
      expect(result.toolcrib).toMatchObject({ empty_output: true })
      expect(result.summary).toBe('The tool finished and returned nothing.')
      expect(shownText(result)).toBe('The tool finished and returned nothing.')
      expect(result).not.toHaveProperty('structured_content')
      expect(await crib.result(call.invocationId)).toEqual(result)
    })

    it.each(things)('%s is not empty', async (_name, output, structured) => {
      const { result } = await callWith(() => output)
      expect(result).toMatchObject({ status: 'succeeded', structured_content: structured })
      expect(result.toolcrib).not.toHaveProperty('empty_output')
      expect(shownText(result)).toBe(JSON.stringify(output))
    })

    it('blank text is text', async () => {
      const { result } = await callWith(() => ' ')
      expect(result.content).toEqual([{ type: 'text', text: ' ' }])
      expect(result.toolcrib).not.toHaveProperty('empty_output')
    })

    it('an asynchronous empty output, and a generator that returns nothing, are the same', async () => {
      const { result } = await callWith(async () => undefined)
      expect(result.toolcrib).toMatchObject({ empty_output: true })
      const other = await callWith(async function* () {
        yield 'working'
      })
      expect(other.result).toMatchObject({ status: 'succeeded', toolcrib: { empty_output: true } })
    })

    it('the executor’s mapper is not called for an empty output', async () => {
      const { result } = await callWith(() => undefined, { toModel: () => 'nonsense' })
      expect(shownText(result)).toBe('The tool finished and returned nothing.')
    })

    it('a missing output is different: no result yet, or an error', async () => {
      const started = createGate()
      const finish = createGate()
      const crib = await openCrib({
        store: newStore(),
        tools: [
          defineTool({
            name: 'give',
            description: 'Gives.',
            isReadOnly: true,
            isOpenWorld: false,
            async execute() {
              started.open()
              await finish.promise
              throw new Error('broke')
            },
          }),
        ],
      })
      const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
      await started.promise
      expect(await crib.result(call.invocationId)).toBeUndefined()
      finish.open()
      const result = await call
      expect(result).toMatchObject({
        status: 'failed',
        is_error: true,
        error: { error_class: 'execution_failed' },
      })
      expect(result.toolcrib).not.toHaveProperty('empty_output')
    })
  },
)
