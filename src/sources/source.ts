import type { DocumentChange } from '../storage/update-document.js'
import type { ToolDraft } from '../catalog/tool-draft.js'

/** What a source may keep, in the store of the crib that it belongs to. */
export interface SourceStorage {
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

/** How a source of a crib is. `failed`: its last list could not be had or taken; the tools of the one before are there. */
export type SourceStatus = {
  readonly name: string
  /** How many of its tools are there. */
  readonly tools: number
} & (
  | { readonly state: 'connecting' | 'ready' }
  | {
      readonly state: 'failed'
      readonly problem: string
      /** Milliseconds since 1970. */
      readonly nextRetryAt: number | undefined
    }
)

/** Where tools come from. One small object; what it can do beyond listing is an optional method. */
export interface Source {
  readonly name: string
  /** Called before the first list; again only where it failed. */
  open?(storage: SourceStorage): Promise<void>
  /** One that fails is reported and tried again; the tools of the last list stay. */
  list(signal: AbortSignal): Promise<readonly ToolDraft[]>
  /** Calls back when the list has changed. What it returns ends it. */
  watch?(changed: () => void): () => void
  /** Names of the servers that it is still connecting to, so that their tools may be missing from the list. */
  pending?(): readonly string[]
  close?(): Promise<void>
}
