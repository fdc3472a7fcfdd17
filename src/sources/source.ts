import type { DocumentChange } from '../storage/update-document.js'
import type { ToolDraft } from '../catalog/tool-draft.js'

/** What a source may keep, in the store of the crib that it belongs to. */
export interface SourceHouse {
  readonly tenant: string
  read(kind: string, id: string): Promise<{ value: unknown } | undefined>
  /** Reads, changes and writes, and all of it again where somebody else wrote meanwhile. Durable once it resolves. */
  update<Result>(
    kind: string,
    id: string,
    change: (found: { value: unknown } | undefined) => Promise<DocumentChange<Result>>,
  ): Promise<Result>
  /** Calls back soon after any process has written something of the kind. What it returns ends it. */
  watch(kind: string, changed: () => void): () => void
}

/** Where tools come from. One small object; what it can do beyond listing is an optional method. */
export interface Source {
  readonly name: string
  /** Called once, before the first list. */
  open?(house: SourceHouse): Promise<void>
  list(signal: AbortSignal): Promise<readonly ToolDraft[]>
  /** Calls back when the list has changed. What it returns ends it. */
  watch?(changed: () => void): () => void
  /** Names of the servers that it is still connecting to, so that their tools may be missing from the list. */
  pending?(): readonly string[]
  close?(): Promise<void>
}
