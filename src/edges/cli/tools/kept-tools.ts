import { configuredStore } from '../../../host/stores/configured-store.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { configEntries, namespaceOf, type ConfigEntry } from '../../../host/sources/config-entries.js'
import { entriesOfTool } from '../../../host/sources/entry-of-tool.js'
import {
  compared,
  pendingChanges,
  type ComparedEntry,
  type PendingChanges,
} from '../../../host/sources/pending-changes.js'
import { sourceStorageIn } from '../../../crib/catalog/source-storage.js'
import type { SourceStorage } from '../../../sources/source.js'
import type { Store } from '../../../storage/store.js'
import { hasRecord } from '../../../storage/has-record.js'
import { openStore } from '../../../storage/open-store.js'
import { nounOf } from '../../../sources/noun-of.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

/** Opens the store of a config for as long as it is used. Undefined if there is no record. */
export async function withStore<Seen>(
  settings: CribSettings,
  { store: given }: GivenOptions,
  use: (store: Store) => Promise<Seen>,
): Promise<Seen | undefined> {
  const store = openStore(configuredStore(settings, given))
  if (!hasRecord(store)) return undefined
  try {
    await store.open()
    return await use(store)
  } finally {
    await store.close()
  }
}

/** What sources stored. */
export function withKeptTools<Seen>(
  settings: CribSettings,
  options: GivenOptions,
  use: (storage: SourceStorage) => Promise<Seen>,
): Promise<Seen | undefined> {
  return withStore(settings, options, (store) => use(sourceStorageIn(store, settings.config)))
}

/** Which tools have changed since they were accepted. */
export function withPendingChanges<Seen>(
  settings: CribSettings,
  options: GivenOptions,
  use: (changes: PendingChanges) => Promise<Seen>,
): Promise<Seen | undefined> {
  return withStore(settings, options, (store) => use(pendingChanges({ store, settings })))
}

/** The entries of that name, with the tool where one was named. At least one. */
export function namedOrStop(settings: CribSettings, name: string): ComparedEntry[] {
  const found = entriesOfTool(settings, name)
  const [first] = found
  if (!first) throw usageProblem(unknownEntry(configEntries(settings), name))
  const entries = found.flatMap(compared)
  if (entries.length > 0) return entries
  const { kind, entry } = first
  throw usageProblem(
    `Changes of the ${kind.noun} "${entry}" need no acceptance: its tools are used as they are.`,
  )
}

function unknownEntry(entries: readonly ConfigEntry[], name: string): string {
  const [example] = entries
  if (!example) return 'The config names no sources, so there is nothing of theirs that could have changed.'
  const noun = nounOf(entries.map(({ kind }) => kind))
  return `"${name}" is the name of no ${noun}, and of no tool of one; say ${example.entry} or ${namespaceOf(example)}.<tool>.`
}
