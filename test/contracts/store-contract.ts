import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { DocumentWrite, Store, WriteOutcome } from '../../src/storage/store.js'
import { documentWrite } from '../storage/make-records.js'
import { callContract } from './store-contract/calls.js'
import { closeContract } from './store-contract/close.js'
import { deletedGroupContract } from './store-contract/deleted-groups.js'
import { documentContract } from './store-contract/documents.js'
import { listingContract } from './store-contract/list-calls.js'
import { logContract } from './store-contract/log.js'
import { removalContract } from './store-contract/removals.js'
import { tenantContract } from './store-contract/tenants.js'
import { watchContract } from './store-contract/watch.js'
import { groupContract } from './store-contract/write-groups.js'

export interface ContractOptions {
  /** Removes the files of the store. */
  remove?: () => void
  /** Whether positions may be missing between chunks, as where many processes write without coordination. */
  hasGaps?: boolean
  /** A second store over the same records, as in another process; or why that is impossible. */
  another: (() => Store) | { cannot: string }
}

export interface StoreUnderTest extends Required<Pick<ContractOptions, 'hasGaps' | 'another'>> {
  /** Another one in each test. */
  readonly store: Store
  put(write: Partial<DocumentWrite>): Promise<WriteOutcome>
  /** Expects the log to end after this many events. */
  expectEnd(events: number): Promise<void>
}

/** The contract of every store. `makeStore` returns a new, empty one each time. */
export function storeContract(
  name: string,
  makeStore: () => Store | Promise<Store>,
  { remove = () => {}, hasGaps = false, another }: ContractOptions,
): void {
  describe(`the ${name} store`, () => {
    let store: Store

    beforeEach(async () => {
      store = await makeStore()
      await store.open()
    })

    afterEach(async () => {
      await store.close()
      remove()
    })

    const given: StoreUnderTest = {
      get store() {
        return store
      },
      hasGaps,
      another,
      put: async (write) => store.write({ documents: [documentWrite(write)] }),
      async expectEnd(events) {
        const last = await store.lastPosition()
        if (hasGaps) expect(last).toBeGreaterThanOrEqual(events)
        else expect(last).toBe(events)
      },
    }

    groupContract(given)
    callContract(given)
    logContract(given)
    listingContract(given)
    removalContract(given)
    deletedGroupContract(given)
    tenantContract(given)
    documentContract(given)
    watchContract(given)
    closeContract(given)
  })
}
