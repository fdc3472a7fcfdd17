import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes a new file's entry in its folder durable. Folders cannot be opened everywhere; there it needs no sync. */
export function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    return
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
