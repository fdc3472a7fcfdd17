import { memoryStore } from '../../src/foundation/stores/memory/memory-store.js'
import { storeContract } from './store-contract.js'

storeContract('memory', () => memoryStore())
