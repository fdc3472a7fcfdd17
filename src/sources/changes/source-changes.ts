import { canonicalJson } from '../../platform/json/canonical-json.js'
import { sha256 } from '../../platform/json/sha256.js'
import type { SourceStorage } from '../source.js'
import type { ToolDiff } from './diff-tool.js'

/** A tool whose definition is no longer the accepted one. */
export interface ChangedTool {
  /** The name that its source gives it. */
  readonly name: string
  readonly diff: ToolDiff
}

/** What a person was shown: a change by the name of its tool, and what it consists of. */
export interface ShownChange {
  readonly name: string
  /** Of the accepted and the new definition. A diff may be truncated, so that it is not enough. */
  readonly digest: string
}

export type PendingChange = ChangedTool & ShownChange

/** The changes of a kind's tools since a person accepted them. The store has them: no source is opened to list them. */
export interface SourceChanges {
  /** Tools of an entry whose changes need to be accepted. */
  list(storage: SourceStorage, entry: string): Promise<PendingChange[]>
  /**
   * Accepts exactly the changes that were shown, in what the entry last listed. If one of them is another by now,
   * nothing is accepted and the answer is undefined. Otherwise resolves with the names of the tools, once that is
   * durable.
   */
  accept(
    storage: SourceStorage,
    entry: string,
    shown: readonly ShownChange[],
  ): Promise<readonly string[] | undefined>
  /** The last part of a tool's id, where it can differ from the tool's own name. */
  safeName?(name: string): string
}

export function digestChange(before: unknown, after: unknown): string {
  return `sha256:${sha256(canonicalJson([before ?? null, after]))}`
}

/** The pending changes that were shown; undefined where one of them is another by now. */
export function asShown<Change extends ShownChange>(
  pending: readonly Change[],
  shown: readonly ShownChange[],
): Change[] | undefined {
  const found = shown.map(({ name, digest }) =>
    pending.find((each) => each.name === name && each.digest === digest),
  )
  return found.every((each) => each !== undefined) ? found : undefined
}
