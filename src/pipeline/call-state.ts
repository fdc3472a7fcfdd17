import type { ToolError } from '../contract/objects/tool-error.js'
import type { ToolResult } from '../contract/objects/tool-result.js'
import type { AbortReason, MutationSource, PipelinePhase } from '../contract/unions.js'
import type { CallFacts } from '../catalog/facts.js'
import type { Retries } from '../catalog/retries.js'
import type { DrainedStream } from '../results/payloads/drain-stream.js'
import type { CommandExit } from './execute/command-exit.js'
import type { DrainedArtifact } from './execute/drain-artifacts.js'

/** What the caller asked for, apart from the input. */
export interface CallRequest {
  readonly name: string
  /** What was written, where whoever asks has looked up the tool behind it. */
  readonly requestedName?: string | undefined
  readonly nativeCallId?: string | undefined
  readonly requestedBy?: 'model' | 'runtime' | undefined
  readonly timeoutMs?: number | undefined
  readonly retries?: Retries | undefined
  readonly runInBackground?: boolean | undefined
  /** The tool through which the model asked for this one. */
  readonly requestedVia?: string | undefined
}

/**
 * A call between two phases, as plain data: kept before permission or before execution, another process can go on
 * with it. Inputs are versions of which none is ever changed: 0 is the model's, each change adds one.
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
  /** Why the model's input could not even be taken down. */
  inputProblem?: string | undefined
  /** What the schema reads: the model's words, and what hooks and people put in their place. */
  source: unknown
  observable: number
  permission: number
  call: number
  /** Who changed the input, in order; the result names them. */
  mutations: MutationNote[]
  facts?: CallFacts | undefined
  /** Times the input was changed after it had been checked. */
  rounds: number
  hooksRan: boolean
  /** The strictest answer of the hooks, as a hint to the judge. */
  hookHint?: HookHint | undefined
  additionalContext: string[]
  /** The input version that a person approved. */
  approvedInput?: unknown
  isApproved: boolean
  /** Rules were changed with the approval, so that such a call is not asked about again. */
  isApprovalLasting: boolean
  /** When the first attempt began. */
  startedAt?: number | undefined
  /** What the executor returned. Anything at all until it is mapped. */
  output?: unknown
  /** How the command ended that the tool ran, where that is known and it was not with zero. */
  exit?: CommandExit | undefined
  /** The executor threw this; the output was made of it, and has to be one that the tool could have returned. */
  insteadOfOutput?: ToolError | undefined
  error?: ToolError | undefined
  abortReason?: AbortReason | undefined
  result?: ToolResult | undefined
  /** What the log holds instead of the result, where that may be given but not kept. */
  kept?: ToolResult | undefined
  /** The output was a stream that is too much to be held. */
  streamed?: DrainedStream | undefined
  /** How many blocks of the content, the last ones, the tool said beside a stream. */
  blocksBeside?: number | undefined
  /** What the tool delivers beside its output: its bytes are there, its records not yet. */
  artifacts?: readonly DrainedArtifact[] | undefined
  /** Characters of everything that the result would keep. */
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
  /** A trusted setting lets this hook's allow stand against asks. */
  isAuthoritative: boolean
}

/** Whether the result that there is tells how the call ended. Else its error is all there is to tell. */
export function hasOwnResult({ result, error }: CallState): boolean {
  return result !== undefined && (error === undefined || result.error === error)
}

export function inputOf(call: CallState, version: 'observable' | 'permission' | 'call'): unknown {
  return call.inputs[call[version]]
}
