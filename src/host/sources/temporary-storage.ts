import type { SourceStorage } from '../../sources/source.js'

/** Storage without a record: what those who look would keep is forgotten with them. */
export function temporaryStorage(tenant: string): SourceStorage {
  const written = new Map<string, { value: unknown; revision: number }>()
  return {
    tenant,
    read: async (kind, id) => written.get(`${kind}\n${id}`),
    async write(kind, id, value, revision) {
      const key = `${kind}\n${id}`
      if ((written.get(key)?.revision ?? 0) !== revision) return false
      written.set(key, { value, revision: revision + 1 })
      return true
    },
    watch: () => () => {},
  }
}
