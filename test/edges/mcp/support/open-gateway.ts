import { afterEach } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib, type CribOptions } from 'toolcrib'
import { createGateway } from '../../../../src/edges/mcp/create-gateway.js'
import type { GatewayOptions } from '../../../../src/edges/mcp/gateway-options.js'
import type { Gateway } from '../../../../src/edges/mcp/gateway.js'
import type { Caller } from '../../../../src/edges/server/caller.js'

const open: { crib: Crib; gateway: Gateway }[] = []

afterEach(async () => {
  for (const { crib, gateway } of open.splice(0)) {
    await gateway.close()
    await crib.close({ graceMs: 100 })
  }
})

const reads = { isReadOnly: true, isOpenWorld: false } as const

export const add = defineTool({
  name: 'add',
  namespace: 'sums',
  title: 'Add',
  description: 'Adds two numbers.',
  ...reads,
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  execute: ({ a, b }) => ({ sum: a + b }),
})

/** Not read-only, so that it needs approval. */
export const write = defineTool({
  name: 'write',
  namespace: 'notes',
  title: 'Write a note',
  description: 'Writes a note.',
  input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  execute: ({ text }) => `wrote ${String(text)}`,
})

/** Asks the client two questions, one after the other. */
export const greet = defineTool({
  name: 'greet',
  namespace: 'people',
  description: 'Greets whoever is there.',
  ...reads,
  async execute(_input, { client, signal }) {
    const ask = async (key: string, message: string): Promise<unknown> => {
      const schema = { type: 'object', properties: { [key]: { type: 'string' } } }
      const answers = await client!.ask({ [key]: { kind: 'form', message, schema } }, signal)
      const { action, content } = answers[key] as { action: string; content?: Record<string, unknown> }
      return action === 'accept' ? content?.[key] : action
    }
    return `Hello ${String(await ask('name', 'Who?'))} from ${String(await ask('place', 'Where?'))}`
  },
})

export interface OpenGatewayOptions {
  crib?: CribOptions
  gateway?: Partial<GatewayOptions>
}

export async function openGateway({ crib: cribOptions, gateway: gatewayOptions }: OpenGatewayOptions = {}) {
  const crib = await createCrib({ store: memoryStore(), tools: [add, write, greet], ...cribOptions })
  const gateway = createGateway({
    crib,
    surfaces: { default: {} },
    info: { name: 'gateway', version: '1.0.0' },
    // The person who uses the client answers, unless the crib names reviewers.
    ...(!cribOptions?.reviewers && { personBehind: () => ({ name: 'person:ann', mayChangeRules: true }) }),
    ...gatewayOptions,
  })
  open.push({ crib, gateway })
  const session = (era: 'legacy' | 'modern', caller: Partial<Caller> = {}) =>
    gateway.open({ actor: 'ann', roles: ['caller'], ...caller }, { era })
  return { crib, gateway, session }
}

export function textOf(result: Record<string, unknown>): string {
  return (result['content'] as { text?: string }[]).map(({ text }) => text ?? '').join('\n')
}
