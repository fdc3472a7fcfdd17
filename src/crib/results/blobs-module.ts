import type { CribModule } from '../assemble.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import { lazyBlobs, type LazyBlobs } from './open-blobs.js'
import { createSweep, type Sweeper } from './create-sweep.js'

export interface BlobsPort {
  readonly blobs: LazyBlobs
  readonly sweeper: Sweeper
}

/** Where large results and deliverables are stored, and the sweeper that removes expired ones. */
export function openBlobs({ options, store, journal, now }: OptionsPort & RecordPort): CribModule<BlobsPort> {
  const blobs = lazyBlobs(store, options.blobs, {
    maxBytes: options.results?.maxBytes,
    // Expired payloads are removed before a new one is refused.
    makeRoom: async (tenant) => void (await sweeper.sweep(tenant)),
  })
  const sweeper = createSweep({ journal, blobs, now })
  return { port: { blobs, sweeper }, stop: () => blobs.close() }
}
