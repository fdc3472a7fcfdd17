import { createJournal } from '../../../storage/journal/journal.js'
import { hasRecord } from '../../../storage/has-record.js'
import { openStore } from '../../../storage/open-store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import {
  configEntries,
  namespaceOf,
  toolIdIn,
  type ConfigEntry,
} from '../../../host/sources/config-entries.js'
import { entriesOfTool, type EntryPart } from '../../../host/sources/entry-of-tool.js'
import { sourceStorage } from '../../../crib/catalog/source-storage.js'
import type { ChangedTool, SourceChanges } from '../../../sources/changes/source-changes.js'
import { nounOf } from '../../../sources/noun-of.js'
import type { SourceStorage } from '../../../sources/source.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

/** An entry whose tools are compared with what was accepted. */
export interface ComparedEntry extends EntryPart {
  readonly changes: SourceChanges
}

/** A changed tool with its id, as JSON. */
export interface KeptChange extends ChangedTool {
  /** The key of its kind in the config. */
  readonly kind: string
  /** The name of its entry. */
  readonly source: string
  readonly tool_id: string
}

/** Opens the records of sources: their last lists, and which tools were accepted. Undefined if there is no record. */
export async function withKeptTools<Seen>(
  settings: CribSettings,
  { store: given }: GivenOptions,
  use: (storage: SourceStorage) => Promise<Seen>,
): Promise<Seen | undefined> {
  const store = openStore(configuredStore(settings, given))
  if (!hasRecord(store)) return undefined
  const journal = createJournal({ store })
  try {
    await store.open()
    return await use(
      sourceStorage(journal, { tenant: settings.config.tenant ?? 'default', now: () => store.now() }),
    )
  } finally {
    await journal.durable()
    await store.close()
  }
}

/** The entries whose tools are compared with what was accepted. */
export function comparedEntries(settings: CribSettings): ComparedEntry[] {
  return configEntries(settings).flatMap(compared)
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

function compared(part: EntryPart): ComparedEntry | [] {
  const { changes } = part.kind
  return changes ? { ...part, changes } : []
}

function unknownEntry(entries: readonly ConfigEntry[], name: string): string {
  const [example] = entries
  if (!example) return 'The config names no sources, so there is nothing of theirs that could have changed.'
  const noun = nounOf(entries.map(({ kind }) => kind))
  return `"${name}" is the name of no ${noun}, and of no tool of one; say ${example.entry} or ${namespaceOf(example)}.<tool>.`
}

/** The changed tools of an entry, or the one that was named, by its own name or by its safe name. */
export async function changesOf(storage: SourceStorage, of: ComparedEntry): Promise<KeptChange[]> {
  const { kind, entry, tool, changes } = of
  const found = await changes.list(storage, entry)
  return found
    .filter(({ name }) => tool === undefined || name === tool || changes.safeName?.(name) === tool)
    .map((each) => ({ kind: kind.key, source: entry, tool_id: toolIdIn(of, each.name), ...each }))
}
