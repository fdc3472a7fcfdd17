import { memoryBlobs } from '../../src/foundation/stores/blobs/memory/memory-blobs.js'
import { blobStoreContract } from './blob-store-contract.js'

blobStoreContract('memory', { make: () => memoryBlobs() })
