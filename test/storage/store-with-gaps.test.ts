import { memoryStoreWithGaps, sqliteStoreWithGaps } from './store-with-gaps.js'
import { storeContract } from './store-contract.js'
import { temporaryFolder } from './temporary-folder.js'

storeContract('memory, whose positions have gaps,', memoryStoreWithGaps, { hasGaps: true })

let remove = (): void => {}

storeContract(
  'sqlite, whose positions have gaps,',
  () => {
    const place = temporaryFolder()
    remove = place.remove
    return sqliteStoreWithGaps(place.path('crib.db'))
  },
  { hasGaps: true, remove: () => remove() },
)
