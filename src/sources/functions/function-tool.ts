import type { ToolDraft } from '../../catalog/tool-draft.js'

declare const types: unique symbol

/** A tool with the types of its schemas, which only the compiler sees: what its callers give, and what they get. */
export interface FunctionTool<Input = unknown, Output = unknown> extends ToolDraft {
  readonly [types]?: { input: (given: Input) => void; output: Output }
}
