import type { Journal } from '../../storage/journal/journal.js'
import { SYSTEM_TENANT } from '../../storage/store.js'
import { resultReadTool } from './result-read-tool.js'
import type { CatalogWriter } from '../catalog/catalog-writer.js'

const MARK = { tenant: SYSTEM_TENANT, kind: 'results', id: 'kept' }

/** Offers agents the tool that reads stored results. */
export interface ReadToolModule {
  /** At the start: if something was stored before, or if the tool is always wanted. */
  offerAtStart(): Promise<void>
  /** A result was stored: from now on there is something to read. */
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
  /** Absent: as soon as something is stored, so that prompts that never need the tool do not contain it. */
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
