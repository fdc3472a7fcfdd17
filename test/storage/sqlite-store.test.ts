import { sqliteStore } from '../../src/storage/sqlite/sqlite-store.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { storeContract } from '../contracts/store-contract.js'

let place: TemporaryFolder
const open = () => sqliteStore({ path: place.file('deep/er/crib.db'), pollMs: 5 })

storeContract(
  'sqlite',
  () => {
    place = openTemporaryFolder()
    return open()
  },
  { another: open, remove: () => place.remove() },
)
