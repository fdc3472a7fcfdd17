import { existsSync } from 'node:fs'
import type { Store } from './store.js'

/** Whether a store that is not open may contain something: opening a file that does not exist would create it. */
export function hasRecord(store: Store): boolean {
  if (store.isEphemeral) return false
  const files = store.files()
  return files.length === 0 || files.some((file) => existsSync(file))
}
