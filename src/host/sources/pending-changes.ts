import { sourceStorageIn } from '../../crib/catalog/source-storage.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { PendingChange, SourceChanges } from '../../sources/changes/source-changes.js'
import { recordEvent } from '../../storage/journal/record-event.js'
import type { Store } from '../../storage/store.js'
import type { CribSettings } from '../crib-settings.js'
import { configEntries, toolIdIn } from './config-entries.js'
import { entriesOfTool, type EntryPart } from './entry-of-tool.js'

/** An entry whose tools are compared with what was accepted. */
export interface ComparedEntry extends EntryPart {
  readonly changes: SourceChanges
}

/** A changed tool with its id, as JSON. */
export interface SourceChange extends PendingChange {
  /** The key of its kind in the config. */
  readonly kind: string
  /** The name of its entry. */
  readonly source: string
  readonly tool_id: string
}

/** Tools that their sources changed, and that are blocked until a person accepts them. */
export interface PendingChanges {
  /** Of these entries. Default: of every entry. */
  list(entries?: readonly ComparedEntry[]): Promise<SourceChange[]>
  /** What waits of the tool with this id. */
  of(toolId: string): Promise<SourceChange | undefined>
  /**
   * Accepts exactly these changes of one entry, and records who did. Undefined where one of them is another by now: then
   * nothing was accepted. Otherwise the ids of the tools.
   */
  accept(shown: readonly SourceChange[], options: { by: string }): Promise<string[] | undefined>
}

/** An open store has all that is needed: no source is asked. A gateway that is running notices what was accepted. */
export function pendingChanges({
  store,
  settings,
  redactor,
}: {
  store: Store
  settings: Pick<CribSettings, 'config'>
  /** Masks secrets in what is shown. */
  redactor?: Redactor
}): PendingChanges {
  const storage = sourceStorageIn(store, settings.config)

  async function inEntry(of: ComparedEntry): Promise<SourceChange[]> {
    const { kind, entry, tool, changes } = of
    const found = await changes.list(storage, entry)
    return found
      .filter(({ name }) => tool === undefined || name === tool || changes.safeName?.(name) === tool)
      .map(({ name, digest, diff }) => ({
        kind: kind.key,
        source: entry,
        tool_id: toolIdIn(of, name),
        name,
        digest,
        diff: redactor ? redactor.value(diff) : diff,
      }))
  }

  async function list(entries = comparedEntries(settings)): Promise<SourceChange[]> {
    const found: SourceChange[] = []
    for (const entry of entries) found.push(...(await inEntry(entry)))
    return found
  }

  return {
    list,
    async of(toolId) {
      const found = await list(entriesOfTool(settings, toolId).flatMap(compared))
      return found.find(({ tool_id }) => tool_id === toolId)
    },
    async accept(shown, { by }) {
      const [first] = shown
      if (!first) return []
      const { kind, source } = first
      const entry = comparedEntries(settings).find((each) => each.kind.key === kind && each.entry === source)
      if (!entry || !(await entry.changes.accept(storage, source, shown))) return undefined
      const tools = shown.map(({ tool_id, digest, diff }) => ({ tool_id, digest, changed: diff.changed }))
      await recordEvent(store, {
        tenant: storage.tenant,
        event: { type: 'toolcrib.tool.accepted', at: store.now(), data: { kind, source, tools, by } },
      })
      return shown.map(({ tool_id }) => tool_id)
    },
  }
}

/** The entries whose tools are compared with what was accepted. */
export function comparedEntries(settings: Pick<CribSettings, 'config'>): ComparedEntry[] {
  return configEntries(settings).flatMap(compared)
}

export function compared(part: EntryPart): ComparedEntry | [] {
  const { changes } = part.kind
  return changes ? { ...part, changes } : []
}
