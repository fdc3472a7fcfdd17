import { memoryStoreWithGaps, sqliteStoreWithGaps } from './store-with-gaps.js'
import { storeContract } from './store-contract.js'
import { temporaryFolder } from './temporary-folder.js'

const another = { cannot: 'what is in the memory of a process is seen by no other' }

storeContract('memory, whose positions have gaps,', memoryStoreWithGaps, { hasGaps: true, another })

let place: ReturnType<typeof temporaryFolder>
const open = () => sqliteStoreWithGaps(place.path('crib.db'))

storeContract(
  'sqlite, whose positions have gaps,',
  () => {
    place = temporaryFolder()
    return open()
  },
  { hasGaps: true, another: open, remove: () => place.remove() },
)
