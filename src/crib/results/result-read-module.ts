import type { Journal } from '../../storage/journal/journal.js'
import { SYSTEM_TENANT } from '../../storage/store.js'
import { resultReadTool } from './result-read-tool.js'
import type { CatalogWriter } from '../catalog/catalog-writer.js'

const MARK = { tenant: SYSTEM_TENANT, kind: 'results', id: 'kept' }

/** Sees to it that agents have the tool by which they read what was kept. */
export interface ReadToolModule {
  /** At the start: where something was kept before, or it is wanted in any case. */
  offerAtStart(): Promise<void>
  /** Something was kept: from now on there is something to read. */
  offer(): Promise<void>
}

export function createReadTool({
  writer,
  journal,
  wanted,
  now,
}: {
  writer: CatalogWriter
  journal: Journal
  /** Absent: as soon as something was kept. A prompt that never needs the tool does not carry it. */
  wanted: boolean | undefined
  now(): number
}): ReadToolModule {
  let offered: Promise<unknown> | undefined
  const add = (): Promise<unknown> => (offered ??= writer.add([resultReadTool], 'toolcrib'))
  return {
    async offerAtStart() {
      if (wanted === false) return
      const { tenant, kind, id } = MARK
      if (wanted || (await journal.store.getDocument(tenant, kind, id))) await add()
    },
    async offer() {
      if (wanted === false || offered) return void (await offered)
      journal.accompany({ ...MARK, updatedAt: now(), value: { since: now() } })
      await add()
    },
  }
}
