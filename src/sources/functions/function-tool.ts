import type { ToolDraft } from '../../catalog/tool-draft.js'

declare const types: unique symbol

/** A tool with the types of its input and output, for the compiler only. */
export interface FunctionTool<Input = unknown, Output = unknown> extends ToolDraft {
  readonly [types]?: { input: (given: Input) => void; output: Output }
}
