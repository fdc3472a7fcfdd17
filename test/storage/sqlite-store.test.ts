import { sqliteStore } from '../../src/storage/sqlite/sqlite-store.js'
import { storeContract } from './store-contract.js'
import { temporaryFolder } from './temporary-folder.js'

let remove = (): void => {}

storeContract(
  'sqlite',
  () => {
    const place = temporaryFolder()
    remove = place.remove
    return sqliteStore({ path: place.path('deep/er/crib.db') })
  },
  { remove: () => remove() },
)
