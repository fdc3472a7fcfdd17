import type { Lock } from './claim.js'

/** Keys of files and folders: a lock of a folder includes everything below it. */
const PATH = 'path:'

/** Whether two locks cannot be held at the same time. */
export function locksConflict(a: Lock, b: Lock): boolean {
  if (a.mode === 'shared' && b.mode === 'shared') return false
  return a.key === b.key || isBelow(a.key, b.key) || isBelow(b.key, a.key)
}

function isBelow(key: string, folder: string): boolean {
  if (key.length <= folder.length || !key.startsWith(folder) || !folder.startsWith(PATH)) return false
  // The root and a folder written with a final slash end with one already; `/ab` is not below `/a`.
  return key[folder.length] === '/' || folder.endsWith('/')
}
