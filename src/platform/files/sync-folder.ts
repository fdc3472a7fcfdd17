import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes a new file's entry in its folder durable. Systems on which folders cannot be opened need no sync. */
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
