import type { Crib, CribOptions } from './crib.js'

/** Opens a crib: its store, its tools and its API. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  // Imported here, not at the top: modules that define tools import this package too, and do not need the runtime.
  const runtime = await import('./create-crib.js')
  return runtime.createCrib(options)
}
