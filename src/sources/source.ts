import type { DocumentChange } from '../storage/update-document.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { ProtectedPaths } from '../policy/protected-paths.js'
import type { OfferedAgent } from './agent-surface.js'

/** What a source can store, in the store of its crib. */
export interface SourceStorage {
  readonly tenant: string
  read(kind: string, id: string): Promise<{ value: unknown } | undefined>
  /** Reads, changes and writes; repeats all of it where another process wrote in between. Durable once it resolves. */
  update<Result>(
    kind: string,
    id: string,
    change: (found: { value: unknown } | undefined) => Promise<DocumentChange<Result>>,
  ): Promise<Result>
  /** Calls back soon after any process has written a record of the kind. The returned function stops it. */
  watch(kind: string, changed: () => void): () => void
  /** Files and folders of Toolcrib itself. A tool that works with files keeps away from them. */
  readonly protectedPaths?: ProtectedPaths | undefined
  /** Records an answer to a call that has ended. The result of the call does not change. */
  recordLate?(invocationId: string, late: LateAnswer): Promise<LateOutcome>
}

/** An answer that came after the call had ended. */
export interface LateAnswer {
  /** The id of the answer where it came from; the same answer is recorded once. */
  readonly message_id: string
  readonly answer: unknown
}

/** `open`: the call has not ended. `unknown`: there is no such call. */
export type LateOutcome = 'recorded' | 'open' | 'unknown'

/** Tools that cannot be called yet, for one reason. */
export interface SetupGap {
  /** How many tools. */
  readonly tools: number
  /** What is missing, and the command that sets it. */
  readonly message: string
}

/**
 * Status of a source in a crib. `failed`: its last list could not be loaded or used; the tools of the previous list
 * stay. `disabled`: the config says that it is not used. `said`: what its program wrote that shows why it does not
 * answer, as sentences.
 */
export type SourceStatus = {
  readonly name: string
  /** How many of its tools are in the catalog. */
  readonly tools: number
  /** What a person must set up before some of its tools can be called, such as a credential. */
  readonly requiresSetup?: readonly SetupGap[] | undefined
  /** How often it was connected again, where it keeps a connection or a process. */
  readonly restarts?: number | undefined
} & (
  | { readonly state: 'ready' | 'disabled' }
  | { readonly state: 'connecting'; readonly said?: string | undefined }
  | {
      readonly state: 'failed'
      readonly problem: string
      /** Milliseconds since 1970. */
      readonly nextRetryAt: number | undefined
      readonly said?: string | undefined
    }
)

/** Where tools come from. A small object; every capability beyond listing is an optional method. */
export interface Source {
  readonly name: string
  /** The name of the config entry that it is made of, which commands show to people. Absent: its own name. */
  readonly entry?: string
  /** Called before the first list; called again only if it failed. */
  open?(storage: SourceStorage): Promise<void>
  /** A failed list is reported and retried; the tools of the last list stay. */
  list(signal: AbortSignal): Promise<readonly ToolDraft[]>
  /** Calls back when the list has changed. The returned function stops it. */
  watch?(changed: () => void): () => void
  /** The agents of the last list, by name. A change of them is reported as a change of the list. */
  surfaces?(): ReadonlyMap<string, OfferedAgent>
  /** What is wrong with parts of it, a sentence each. The tools of these parts are missing; the others work. */
  problems?(): readonly string[]
  /** Names of the servers that are still connecting; their tools may be missing from the list. */
  pending?(): readonly string[]
  close?(): Promise<void>
}
