import { dirname, resolve } from 'node:path'
import { blobsBeside } from '../../crib/results/open-blobs.js'
import type { BlobStore } from '../../storage/blobs/blob-store.js'
import { fileBlobs } from '../../storage/blobs/files/file-blobs.js'
import { openStore } from '../../storage/open-store.js'
import type { Store } from '../../storage/store.js'
import type { StoreConfig } from '../../storage/store-config.js'
import type { CribSettings } from '../crib-settings.js'
import { configuredBlobs } from '../settings/configured-blobs.js'
import { configuredStore } from '../stores/configured-store.js'
import { backupError } from './backup-error.js'

/** Where the records of a config are, and where its blobs are. */
export interface RecordPlace {
  readonly store: Store
  readonly blobs:
    | { readonly kind: 'files'; readonly path: string }
    | { readonly kind: 's3'; readonly location: string }
    | { readonly kind: 'memory' }
  /** Opens the blobs without a quota; nothing where they do not outlive a process. */
  openBlobs(): Promise<BlobStore | undefined>
}

/** The store is not opened yet. Refuses a store of which no backup can be made. */
export function recordPlaceOf(settings: CribSettings, given?: StoreConfig | string): RecordPlace {
  const store = openStore(configuredStore(settings, given))
  if (!store.snapshot || !store.adopt)
    throw backupError(
      `A store in ${store.name} has no backups: its records are lost with its process. Name a file, in the config or with --store.`,
    )
  const { blobs } = settings.config
  switch (blobs?.kind ?? 'files') {
    case 'memory':
      return { store, blobs: { kind: 'memory' }, openBlobs: async () => undefined }
    case 's3': {
      const bucket = configuredBlobs(settings)!
      return { store, blobs: { kind: 's3', location: bucket.location }, openBlobs: () => opened(bucket) }
    }
    case 'files': {
      const path =
        blobs?.path === undefined
          ? blobsBeside(store)
          : resolve(dirname(settings.configPath ?? '.'), blobs.path)
      return { store, blobs: { kind: 'files', path }, openBlobs: () => opened(fileBlobs({ path })) }
    }
  }
}

async function opened(blobs: BlobStore): Promise<BlobStore> {
  await blobs.open()
  return blobs
}
