import type { ToolError } from '../contract/objects/tool-error.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { AbortReason, MutationSource, PipelinePhase } from '../contract/unions.js'
import type { PersonAnswer } from '../catalog/answered-by.js'
import type { CallFacts } from '../catalog/facts.js'
import type { Retries } from '../catalog/retries.js'
import type { TraceRef } from '../platform/text/parse-trace-parent.js'
import type { DrainedStream } from '../results/payloads/drain-stream.js'
import type { DrainedArtifact } from './execute/drained-output.js'
import type { ExitMeaning } from '../shell/exit-reading.js'

/** The caller's request, without the input. */
export interface CallRequest {
  readonly name: string
  /** The name that the caller wrote, if the host has already looked up the tool behind it. */
  readonly requestedName?: string | undefined
  readonly nativeCallId?: string | undefined
  /** Where the caller is in a distributed trace. */
  readonly trace?: TraceRef | undefined
  readonly requestedBy?: 'model' | 'runtime' | undefined
  readonly timeoutMs?: number | undefined
  readonly retries?: Retries | undefined
  readonly runInBackground?: boolean | undefined
  /** The tool through which the model called this one. */
  readonly requestedVia?: string | undefined
  /** The call whose executor made this one. */
  readonly parent?: ParentCall | undefined
}

export interface ParentCall {
  readonly invocationId: string
  /** How many calls are above this one. */
  readonly depth: number
}

/**
 * A call between two phases, as plain data. Another process can continue a call that is stored before permission or
 * before execution. Versions of the input never change: 0 is the model's, and each change adds one.
 */
export interface CallState {
  /** The phase that comes next. */
  phase: PipelinePhase
  readonly invocationId: string
  readonly surfaceId: string
  readonly request: CallRequest
  toolId: string
  fingerprint: string
  inputs: unknown[]
  /** Why the model's input could not be read as JSON. */
  inputProblem?: string | undefined
  /** The input that the schema reads: the model's, with the replacements by hooks and people. */
  source: unknown
  observable: number
  permission: number
  call: number
  /** Who changed the input, in order; the result names them. */
  mutations: MutationNote[]
  facts?: CallFacts | undefined
  /** How often the input changed after it had been checked. */
  rounds: number
  hooksRan: boolean
  /** The strictest answer of the hooks, as a hint to the judge. */
  hookHint?: HookHint | undefined
  additionalContext: string[]
  /** The input version that a person approved. */
  approvedInput?: unknown
  isApproved: boolean
  /** The answer of a person, of a tool that people answer. */
  answer?: PersonAnswer | undefined
  /** The approval also changed the rules, so that such a call needs no further approval. */
  isApprovalLasting: boolean
  /** When the first attempt began. */
  startedAt?: number | undefined
  /** The executor's return value. It can be of any type until it is mapped. */
  output?: unknown
  /** How the tool's command ended, if that is known and the exit code is not zero. */
  exit?: CommandExit | undefined
  /**
   * The executor threw this error and the output was made from it. Such an output must fit the tool's output schema.
   */
  insteadOfOutput?: ToolError | undefined
  error?: ToolError | undefined
  abortReason?: AbortReason | undefined
  result?: ToolResult | undefined
  /** The result, if it is one text and nothing else: as long as no later phase replaces it, the log keeps it in short. */
  plainResult?: ToolResult | undefined
  /** The result for the log, if the caller may have the full result but the log may not. */
  kept?: ToolResult | undefined
  /** Set if the output was a stream too large to hold in memory. */
  streamed?: DrainedStream | undefined
  /** How many of the last content blocks the tool returned beside a stream. */
  blocksBeside?: number | undefined
  /** Artifacts beside the output: their bytes are stored, their records are not yet. */
  artifacts?: readonly DrainedArtifact[] | undefined
  /** Characters of everything that the result would store. */
  resultSize: number
}

export interface MutationNote {
  mutation_id: string
  source_type: MutationSource
  source_ref: string
}

export interface HookHint {
  behavior: 'allow' | 'ask' | 'deny'
  hookId: string
  message: string
  /** A trusted setting lets this hook's allow override asks. */
  isAuthoritative: boolean
}

/** Whether the result describes how the call ended. Otherwise its error is all there is. */
export function hasOwnResult({ result, error }: CallState): boolean {
  return result !== undefined && (error === undefined || result.error === error)
}

export function inputOf(call: CallState, version: 'observable' | 'permission' | 'call'): unknown {
  // Each by its name: a property that is named by a variable is looked up.
  switch (version) {
    case 'observable':
      return call.inputs[call.observable]
    case 'permission':
      return call.inputs[call.permission]
    case 'call':
      return call.inputs[call.call]
  }
}

/** How the command of a call ended: its exit code and what the code means. */
export interface CommandExit {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly meaning: ExitMeaning
}
