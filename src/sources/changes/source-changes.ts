import type { SourceStorage } from '../source.js'
import type { ToolDiff } from './diff-tool.js'

/** A tool whose definition is no longer the accepted one. */
export interface ChangedTool {
  /** The name that its source gives it. */
  readonly name: string
  readonly diff: ToolDiff
}

/** The changes of a kind's tools since a person accepted them. The store has them: no source is opened to list them. */
export interface SourceChanges {
  /** Tools of an entry whose changes need to be accepted. */
  list(storage: SourceStorage, entry: string): Promise<ChangedTool[]>
  /**
   * Accepts what the entry last listed: one tool by its own name, or all of them. Resolves with the names of the changed
   * tools, once that is durable.
   */
  accept(storage: SourceStorage, entry: string, name?: string): Promise<string[]>
  /** The last part of a tool's id, where it can differ from the tool's own name. */
  safeName?(name: string): string
}
