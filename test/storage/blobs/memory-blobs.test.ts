import { memoryBlobs } from '../../../src/storage/blobs/memory/memory-blobs.js'
import { blobStoreContract } from '../../contracts/blob-store-contract.js'

blobStoreContract('memory', { make: () => memoryBlobs() })
