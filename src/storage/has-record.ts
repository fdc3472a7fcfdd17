import { existsSync } from 'node:fs'
import type { Store } from './store.js'

/** Whether there may be something in a store that is not open: to open a file that is not there would make it. */
export function hasRecord(store: Store): boolean {
  if (store.isEphemeral) return false
  const files = store.files()
  return files.length === 0 || files.some((file) => existsSync(file))
}
