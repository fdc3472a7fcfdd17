import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { FoundTool } from '../../crib/discovery/found-tools.js'
import type { ListedTool } from '../../surfaces/list-tools.js'

/** What `crib.call` needs of a provider's tool call. */
export interface ProviderCall {
  /** The name that the model wrote; the crib finds the tool by it. */
  name: string
  /** A value, or the JSON text of the provider. */
  input: unknown
  nativeCallId?: string
}

/** A result for a model. */
export interface AnsweredCall {
  result: ToolResult
  /** The provider's id of the call. */
  nativeCallId: string | undefined
  /** The name in the call. */
  toolName: string
  /** Whether it was the provider's own type of search call. */
  isNativeSearch: boolean
  /** The tools that `tool.search` found on a surface whose provider loads them itself. */
  found: readonly FoundTool[] | undefined
}

/** The format of one provider for tools, calls and results. Plain data on both sides. */
export interface ProviderFormat<List = unknown, Result = unknown> {
  /** Whether the provider itself keeps deferred tools out of the prompt and loads them when they are found. */
  readonly defersNatively: boolean
  toList(listed: readonly ListedTool[], options: { isNative: boolean }): List
  fromCall(call: Readonly<Record<string, unknown>>): ProviderCall | undefined
  /** An example of such a call, for error messages. */
  readonly callShape: string
  toResult(answered: AnsweredCall): Result
}
