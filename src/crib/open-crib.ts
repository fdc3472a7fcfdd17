import type { Crib, CribOptions } from './crib.js'

/** Opens a crib: its store, its tools, and the counter where they are handed out. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  // Only now: modules that define tools import this package too, and need none of what runs them.
  const runtime = await import('./create-crib.js')
  return runtime.createCrib(options)
}
