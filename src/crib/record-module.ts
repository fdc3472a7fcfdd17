import { randomBytes } from 'node:crypto'
import { createIdSource, type IdSource } from '../contract/ids.js'
import { lazyKeys } from '../approvals/lazy-keys.js'
import type { SealKeys } from '../platform/sealing/derive-keys.js'
import { digestInput } from '../approvals/sign-approval.js'
import type { Redactor } from '../redaction/redactor.js'
import { defaultStore } from '../storage/default-store.js'
import { createJournal, type Journal } from '../storage/journal/journal.js'
import { openStore } from '../storage/open-store.js'
import { isStore, type Store } from '../storage/store.js'
import type { CribModule } from './assemble.js'
import { keepDefinitions, type KeepDefinition } from './catalog/keep-definitions.js'
import type { Crib, CribOptions } from './crib.js'
import { createRedactors, type Redactors } from './redaction/create-redactors.js'

/** The options of a crib, with the defaults that several modules need. */
export interface OptionsPort {
  readonly options: CribOptions
  readonly tenant: string
  /** Relative paths start here. */
  readonly workspace: string
}

export interface RecordPort {
  readonly store: Store
  readonly journal: Journal
  readonly ids: IdSource
  now(): number
  /** Read or created on first use. */
  keys(): SealKeys
  /** A keyed digest of a secret, the same in every process that has the key. */
  hideSecret(secret: string): string
  readonly redactors: Redactors
  /** The redactor of the crib's own options. */
  readonly redactor: Redactor
  readonly keepDefinition: KeepDefinition
}

/** The store, and what all records need: ids, the time, keys and redaction. */
export async function openRecord({
  options,
}: OptionsPort): Promise<CribModule<RecordPort, Pick<Crib, 'store' | 'flush'>>> {
  const { clock } = options
  const store = isStore(options.store) ? options.store : openStore(options.store ?? defaultStore())
  // The clock of the store, which all processes share. Times are whole milliseconds, whatever a given clock counts in.
  const now = clock ? () => Math.trunc(clock()) : store.now.bind(store)
  await store.open()
  const keys = lazyKeys(store, options.sealKey)
  const hideSecret = hideSecretWith(keys)
  const redactors = createRedactors(options.redaction ?? {}, hideSecret)
  const { usual: redactor } = redactors
  const journal = createJournal({ store, clean: (data) => redactor.value(data) })
  const keepDefinition = keepDefinitions(journal, { redactor, now })
  const ids = createIdSource(randomBytes)
  return {
    port: { store, journal, ids, now, keys, hideSecret, redactors, redactor, keepDefinition },
    api: { store, flush: () => journal.durable() },
    stop: () => journal.close(),
  }
}

/** Without a key all secrets get the same digest: calls that depend on them wait longer, and no secret is shown. */
function hideSecretWith(keys: () => SealKeys): (secret: string) => string {
  return (secret) => {
    try {
      return digestInput(keys(), secret)
    } catch {
      return 'hidden'
    }
  }
}
