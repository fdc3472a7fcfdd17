import { memoryStore } from '../../src/storage/memory/memory-store.js'
import { storeContract } from './store-contract.js'

const another = { cannot: 'what is in the memory of a process is seen by no other' }

storeContract('memory', () => memoryStore(), { another })
