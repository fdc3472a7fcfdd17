import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sqliteStore, type Crib } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'
import { npmServer, startServers } from '../sources/mcp/servers/start-servers.js'
import { temporaryFolder } from '../temporary-folder.js'

const entity = { name: 'ada', entityType: 'person', observations: ['keeps the crib'] }

it('a call that is approved while its server is gone waits for the server at the next start, and runs there', async () => {
  const folder = temporaryFolder()
  const kept = join(folder, 'memory.jsonl')
  const settings = { memory: { ...npmServer('memory'), env: { MEMORY_FILE_PATH: kept } } }
  const open = async (options: { isServed: boolean }): Promise<{ crib: Crib; settled(): Promise<void> }> => {
    const servers = options.isServed ? startServers(settings) : undefined
    const crib = await openCrib({
      store: sqliteStore({ path: join(folder, 'crib.db'), pollMs: 5 }),
      reviewers: ['ann'],
      permission: { ask: ['mcp.memory.create_entities'] },
      ...(servers && { sources: servers.sources }),
    })
    return { crib, settled: async () => servers?.settled(20_000) }
  }

  const first = await open({ isServed: true })
  await first.settled()
  const surface = await first.crib.surface({ scope: 'session', role: 'main' })
  const input = { entities: [entity] }
  const call = first.crib.call(surface, { name: 'mcp.memory.create_entities', input })
  const approval = await new Promise<{ approval_id: string; invocation_id: string }>((resolve) => {
    const stop = first.crib.approvals.watch((asked) => {
      stop()
      resolve(asked)
    })
  })
  // Its own process releases it, and it stays pending.
  await Promise.allSettled([first.crib.close({ graceMs: 0 }), call])

  const reviewer = await open({ isServed: false })
  const answered = await reviewer.crib.approvals.answer(approval.approval_id, { approved: true, by: 'ann' })
  expect(answered).toMatchObject({ ok: true, goesOn: 'unclaimed' })
  await reviewer.crib.close()

  const next = await open({ isServed: true })
  expect(next.crib.pendingProviders(), 'the tools are known before their server is there').toEqual(['memory'])
  let result = await next.crib.result(approval.invocation_id)
  while (!result) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    result = await next.crib.result(approval.invocation_id)
  }
  expect(result).toMatchObject({ status: 'succeeded', is_error: false })
  expect(readFileSync(kept, 'utf8')).toContain('keeps the crib')
}, 60_000)
