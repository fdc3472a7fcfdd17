import { sqliteStore } from '../../src/storage/sqlite/sqlite-store.js'
import { storeContract } from './store-contract.js'
import { temporaryFolder } from './temporary-folder.js'

let place: ReturnType<typeof temporaryFolder>
const open = () => sqliteStore({ path: place.path('deep/er/crib.db'), pollMs: 5 })

storeContract(
  'sqlite',
  () => {
    place = temporaryFolder()
    return open()
  },
  { another: open, remove: () => place.remove() },
)
