import { checkOptions, type OptionKind } from '../../foundation/validation/check-options.js'
import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'

export type ContentBlock = NonNullable<ToolResult['content']>[number]

/** An executor's result where a bare value is not enough. Made by `toolOutput`, so that no user data is mistaken for it. */
export interface ToolOutput {
  content?: readonly ContentBlock[]
  structured?: unknown
  summary?: string
  resourceRefs?: readonly Record<string, unknown>[]
  artifactRefs?: readonly Record<string, unknown>[]
  /** Some of the work failed; the result says so and keeps what succeeded. */
  partialFailure?: string
  contextModifier?: Record<string, unknown>
}

/** A piece of the result that is ready before the rest. Yielded by generator executors. */
export interface PartialOutput {
  value: unknown
}

const OUTPUT_OPTIONS = {
  content: 'list',
  structured: 'any',
  summary: 'text',
  resourceRefs: 'list',
  artifactRefs: 'list',
  partialFailure: 'text',
  contextModifier: 'object',
} as const satisfies Record<keyof ToolOutput, OptionKind>

// Registered symbols: a tool module may hold another copy of this package, and JSON can never carry them.
const OUTPUT = Symbol.for('toolcrib.output')
const PARTIAL = Symbol.for('toolcrib.partial')

/** Returned by an executor: content blocks, refs and structured content, each said apart. */
export function toolOutput(output: ToolOutput): ToolOutput {
  checkOptions('toolOutput', output, OUTPUT_OPTIONS)
  return Object.assign({ [OUTPUT]: true }, output)
}

/** Yielded by an executor: part of the result, recorded and streamed at once. */
export function partialResult(value: unknown): PartialOutput {
  return Object.assign({ [PARTIAL]: true }, { value })
}

export function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === 'object' && value !== null && OUTPUT in value
}

export function isPartialOutput(value: unknown): value is PartialOutput {
  return typeof value === 'object' && value !== null && PARTIAL in value
}
