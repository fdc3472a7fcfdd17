import { memoryStore } from '../../src/storage/memory/memory-store.js'
import { storeContract } from './store-contract.js'

storeContract('memory', () => memoryStore())
