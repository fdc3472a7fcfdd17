import { memoryStore } from '../../src/storage/memory/memory-store.js'
import { openDatabase } from '../../src/storage/sqlite/open-database.js'
import { sqliteStore } from '../../src/storage/sqlite/sqlite-store.js'
import type { Store } from '../../src/storage/store.js'
import { seededRandom } from './make-records.js'

/** A store in memory that skips positions before each chunk, as many uncoordinated writers do. */
export function memoryStoreWithGaps(): Store {
  return memoryStore({ positionGap: nextGap() })
}

/** A SQLite store beside which another connection takes positions and writes nothing at them. */
export function sqliteStoreWithGaps(path: string): Store {
  const inner = sqliteStore({ path, pollMs: 5 })
  const gap = nextGap()
  let other: ReturnType<typeof openDatabase> | undefined
  return {
    ...inner,
    async open() {
      await inner.open()
      other = openDatabase(path)
    },
    write(group) {
      if (group.calls?.length || group.chunks?.length)
        other?.exec(`UPDATE meta SET value = value + ${gap()} WHERE key = 'next_position'`)
      return inner.write(group)
    },
    async close() {
      other?.close()
      other = undefined
      await inner.close()
    },
  }
}

/** Mostly small, now and then none, and sometimes longer than the longest chunk. */
function nextGap(): () => number {
  const random = seededRandom(7)
  return () => (random() < 0.1 ? 2_500 : Math.floor(random() * 4))
}
