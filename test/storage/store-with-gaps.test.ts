import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { memoryStoreWithGaps, sqliteStoreWithGaps } from './store-with-gaps.js'
import { storeContract } from '../contracts/store-contract.js'

const another = { cannot: 'no other process sees the memory of this process' }

storeContract('memory, whose positions have gaps,', memoryStoreWithGaps, { hasGaps: true, another })

let place: TemporaryFolder
const open = () => sqliteStoreWithGaps(place.file('crib.db'))

storeContract(
  'sqlite, whose positions have gaps,',
  () => {
    place = openTemporaryFolder()
    return open()
  },
  { hasGaps: true, another: open, remove: () => place.remove() },
)
