import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { FoundTool } from '../../crib/discovery/found-tools.js'
import type { ListedTool } from '../../surfaces/list-tools.js'

/** What `crib.call` needs of a provider's tool call. */
export interface ProviderCall {
  /** As the model wrote it; the crib finds the tool by it. */
  name: string
  /** A value, or the JSON text that the provider hands over. */
  input: unknown
  nativeCallId?: string
}

/** A result on its way to a model. */
export interface AnsweredCall {
  result: ToolResult
  /** The provider's id of the call. */
  nativeCallId: string | undefined
  /** The name that the call had. */
  toolName: string
  /** Whether it was the provider's own kind of call for a search. */
  isNativeSearch: boolean
  /** Found by `tool.search` on a surface whose provider loads what it is told of. */
  found: readonly FoundTool[] | undefined
}

/** One provider's way of writing tools, calls and results. Plain data on both sides. */
export interface ProviderFormat<List = unknown, Result = unknown> {
  /** Whether the provider itself keeps deferred tools out of the prompt and loads them when they are found. */
  readonly defersNatively: boolean
  toList(listed: readonly ListedTool[], options: { isNative: boolean }): List
  fromCall(call: Readonly<Record<string, unknown>>): ProviderCall | undefined
  /** What such a call looks like, for whoever gave something else. */
  readonly callShape: string
  toResult(answered: AnsweredCall): Result
}
