import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { collect, onBothStores, openCrib, shownText } from './open-crib.js'
import { documentsOf } from '../storage/make-records.js'

const rows = Array.from({ length: 20_000 }, (_, id) => `${id};customer ${id};${id * 7}`)
const table = `id;name;total\n${rows.join('\n')}\n`

onBothStores(
  '[AT-SCEN-12] acceptance scenario 12: a large result is persisted by reference, with a preview',
  (newStore) => {
    async function exportTable() {
      const crib = await openCrib({
        store: newStore(),
        tools: [
          defineTool({
            name: 'export',
            description: 'Exports a table.',
            isReadOnly: true,
            isOpenWorld: false,
            mediaType: 'text/csv',
            execute: () => table,
          }),
          defineTool({
            name: 'count',
            description: 'Counts lines.',
            isReadOnly: true,
            isOpenWorld: false,
            input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
            execute: (input: unknown) => (input as { text: string }).text.split('\n').length - 1,
          }),
        ],
      })
      const surface = await crib.surface({ scope: 'turn' })
      const call = crib.call(surface, { name: 'export' })
      return { crib, surface, id: call.invocationId, result: await call }
    }

    it('[AR-CALL-09] [AT-RES-02] the model reads a preview, the log stores a ref, and nothing is lost', async () => {
      const { crib, id, result } = await exportTable()
      expect(result.status).toBe('succeeded')
      expect(shownText(result).length).toBeLessThanOrEqual(2000)
      expect(shownText(result)).toContain('id;name;total')
      const events = await collect(crib.events())
      const own = events.filter((event) => event.invocation_id === id)
      expect(JSON.stringify(own).length).toBeLessThan(20_000)
      expect(own.filter(({ event_type: type }) => type === 'tool.result.persisted')).toHaveLength(1)
      expect(result.persisted_payload_ref).toMatchObject({
        media_type: 'text/csv',
        digest: `sha256:${createHash('sha256').update(table).digest('hex')}`,
      })
    })

    it('the agent continues with it: by pages, by search, and by passing the ref to another tool', async () => {
      const { crib, surface, result } = await exportTable()
      const ref = result.persisted_payload_ref!.uri!
      const read = async (input: object) =>
        shownText(await crib.call(surface, { name: 'result.read', input: { ref, ...input } }))
      expect(await read({ line: 15_001, lines: 1 })).toContain('14999;customer 14999;104993')
      expect(await read({ search: ';customer 777;' })).toContain('777;customer 777;5439')
      const counted = await crib.call(surface, { name: 'count', input: { text: ref } })
      expect(counted.structured_content).toBe(20_001)
    })

    it('[AT-PERSIST-01] reading makes no results that would have to be read', async () => {
      const { crib, surface, result } = await exportTable()
      const ref = result.persisted_payload_ref!.uri!
      await crib.flush()
      const before = await documentsOf(crib.store, 'default', 'payload')
      for (let line = 1; line < 20_000; line += 4_000) {
        const page = await crib.call(surface, { name: 'result.read', input: { ref, line } })
        expect(page).not.toHaveProperty('persisted_payload_ref')
      }
      await crib.flush()
      expect(await documentsOf(crib.store, 'default', 'payload')).toEqual(before)
    })
  },
)
