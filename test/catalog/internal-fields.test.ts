import { describe, expect, it } from 'vitest'
import { defineHook, defineTool } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const marked = { type: 'string', visibility: 'internal' } as const
const inner = { type: 'object', properties: { token: marked } } as const

describe('no schema shown to a model contains an internal-only field [AT-INPUT-02]', () => {
  it.each<[string, object]>([
    ['$defs', { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: inner } }],
    [
      'definitions',
      { type: 'object', properties: { a: { $ref: '#/definitions/A' } }, definitions: { A: inner } },
    ],
    ['patternProperties', { type: 'object', patternProperties: { '^x': inner } }],
    ['dependentSchemas', { type: 'object', dependentSchemas: { a: inner } }],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: inner }],
    ['contains', { type: 'object', properties: { a: { type: 'array', contains: inner } } }],
  ])('it is found under %s', (_where, jsonSchema) => {
    const define = () => defineTool({ name: 't', description: 'T.', input: { jsonSchema }, execute: () => 1 })
    expect(define).toThrow(/internal/)
  })

  it('a field that the runtime schema marks as internal is not in the model’s schema unmarked', () => {
    const define = () =>
      defineTool({
        name: 't',
        description: 'T.',
        input: { jsonSchema: { type: 'object', properties: { token: { type: 'string' } } } },
        runtimeInput: { jsonSchema: { type: 'object', properties: { token: marked } } },
        execute: () => 1,
      })
    expect(define).toThrow(/internal/)
  })
})

onBothStores('values for internal-only fields never come from the model [AT-INPUT-06]', (newStore) => {
  it.each<[string, object, object, object]>([
    ['at the top', { a: { type: 'string' } }, { token: marked }, { a: 'x', token: 'the model’s' }],
    ['inside an object', { auth: { type: 'object' } }, { auth: inner }, { auth: { token: 'the model’s' } }],
  ])('%s, where the model’s schema would allow them', async (_where, shown, internal, input) => {
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          input: { jsonSchema: { type: 'object', properties: shown } },
          runtimeInput: { jsonSchema: { type: 'object', properties: { ...shown, ...internal } } },
          isReadOnly: true,
          isOpenWorld: false,
          execute: (given) => {
            executed.push(given)
            return 'ok'
          },
        }),
      ],
    })
    await crib.call(await crib.surface({ scope: 'turn' }), { name: 't', input })
    expect(JSON.stringify(executed)).not.toContain('the model’s')
  })

  it('a hook may fill one inside an object', async () => {
    const executed: unknown[] = []
    const auth = {
      type: 'object',
      properties: { user: { type: 'string' } },
      additionalProperties: false,
    } as const
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          input: { jsonSchema: { type: 'object', properties: { auth }, additionalProperties: false } },
          runtimeInput: {
            jsonSchema: {
              type: 'object',
              properties: { auth: { ...auth, properties: { ...auth.properties, token: marked } } },
              additionalProperties: false,
            },
          },
          isReadOnly: true,
          isOpenWorld: false,
          execute: (given) => {
            executed.push(given)
            return 'ok'
          },
        }),
      ],
      hooks: [
        defineHook({
          id: 'vault',
          event: 'pre_tool_use',
          run: () => ({ updatedInput: { auth: { user: 'anna', token: 'ref:1' } } }),
        }),
      ],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 't',
      input: { auth: { user: 'anna' } },
    })
    expect(result.error).toBeUndefined()
    expect(executed).toEqual([{ auth: { user: 'anna', token: 'ref:1' } }])
  })
})
