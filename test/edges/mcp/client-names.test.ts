import { expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib } from 'toolcrib'
import type { ClientProgram } from '../../../src/catalog/client-link.js'
import { createLiveSecrets } from '../../../src/redaction/live-secrets.js'
import { programOf } from '../../../src/edges/mcp/client-name.js'

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
const client = { actor: 'ann', program: { name: 'cursor', version: '1.2' }, isAnnounced: true }

it('a client that gives the same name again keeps one object, which later calls need not clean', () => {
  expect(programOf(client, { [CLIENT_INFO]: { name: 'cursor', version: '1.2', title: 'Cursor' } })).toBe(
    client.program,
  )
  expect(programOf(client, undefined)).toBe(client.program)
})

it.each([
  ['another name', { name: 'zed', version: '1.2' }, { name: 'zed', version: '1.2' }],
  ['another version', { name: 'cursor', version: '1.3' }, { name: 'cursor', version: '1.3' }],
  ['no version', { name: 'cursor' }, { name: 'cursor' }],
  ['a name with control characters', { name: 'cur\u001B[31msor' }, { name: 'cursor' }],
  ['no name', { version: '9' }, client.program],
])('a client that gives %s', (_, info, expected) => {
  expect(programOf(client, { [CLIENT_INFO]: info })).toEqual(expected)
})

it('a client’s name that becomes a secret is masked from then on', async () => {
  const live = createLiveSecrets()
  const tools = [
    defineTool({
      name: 'read',
      description: 'Reads.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => 'x',
    }),
  ]
  const crib = await createCrib({ store: memoryStore(), tools, redaction: { live } })
  const program = { name: 'quiet-otter' }
  expect(await recordedClient(crib, program)).toEqual(program)
  live.add('quiet-otter')
  expect(JSON.stringify(await recordedClient(crib, program))).not.toContain('quiet-otter')
  await crib.close()
})

async function recordedClient(crib: Crib, program: ClientProgram): Promise<unknown> {
  const surface = await crib.surface({ scope: 'session' })
  const call = crib.call(surface, {
    name: 'read',
    client: {
      program,
      abilities: { form: false, link: false, sampling: false, roots: false },
      wantsProgress: false,
      ask: async () => ({}),
      tell() {},
    },
  })
  await call
  for await (const event of crib.events())
    if (event.invocation_id === call.invocationId && event.event_type === 'tool.invocation.planned')
      return (event.data as { client?: unknown }).client
  return undefined
}
