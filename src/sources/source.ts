import type { ToolDraft } from '../catalog/tool-draft.js'

/** What a source may keep, in the store of the crib that it belongs to. */
export interface SourceStorage {
  readonly tenant: string
  read(kind: string, id: string): Promise<{ value: unknown; revision: number } | undefined>
  /** False where somebody else wrote meanwhile: `revision` is the one that was read, 0 for none. Durable once it resolves. */
  write(kind: string, id: string, value: unknown, revision: number): Promise<boolean>
  /** Calls back soon after any process has written. What it returns ends it. */
  watch(changed: () => void): () => void
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
