import type { ToolDraft } from '../catalog/tool-draft.js'

/** Where tools come from. One small object; what it can do beyond listing is an optional method. */
export interface Source {
  readonly name: string
  list(signal: AbortSignal): Promise<readonly ToolDraft[]>
  /** Calls back when the list has changed. What it returns ends it. */
  watch?(changed: () => void): () => void
  /** Names of the servers that it is still connecting to, so that their tools may be missing from the list. */
  pending?(): readonly string[]
  close?(): Promise<void>
}
