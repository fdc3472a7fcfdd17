import { memoryStore } from '../../src/storage/memory/memory-store.js'
import { storeContract } from '../contracts/store-contract.js'

const another = { cannot: 'no other process sees the memory of this process' }

storeContract('memory', () => memoryStore(), { another })
