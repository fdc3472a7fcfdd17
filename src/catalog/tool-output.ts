import type { Readable } from 'node:stream'
import type { NativeFacts } from './native.js'
import { checkNewArtifacts, type NewArtifact } from './new-artifact.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'
import type { ToolResult } from '../contract/objects/tool-result.js'

export type ContentBlock = NonNullable<ToolResult['content']>[number]

/**
 * An executor's result where a bare value is not enough. Made by `toolOutput`, so that no user data can be mistaken for
 * it.
 */
export interface ToolOutput {
  content?: readonly ContentBlock[]
  structured?: unknown
  /** An output that arrives in chunks: a stream of Node or of the web, or a Blob. A long one is stored by reference. */
  stream?: Readable | ReadableStream | Blob
  /** Media type of the stream. */
  mediaType?: string
  /** File name of the stream. */
  name?: string
  summary?: string
  resourceRefs?: readonly Record<string, unknown>[]
  /** Links artifacts that are stored elsewhere. */
  artifactRefs?: readonly Record<string, unknown>[]
  /** Artifacts: stored durably, with an id, versions and their origin. */
  artifacts?: readonly NewArtifact[]
  /** The reason where the tool reports a failure; the rest of its output stays in the result. */
  failure?: string
  /** What the tool's protocol reports about this answer beside its content: ids, `_meta`. */
  native?: NativeFacts
  /** Some of the work failed; the result says so and keeps what succeeded. */
  partialFailure?: string
  contextModifier?: Record<string, unknown>
}

/** A part of the result that is ready before the rest. Yielded by generator executors. */
export interface PartialOutput {
  value: unknown
}

const OUTPUT_OPTIONS = {
  content: 'list',
  structured: 'any',
  stream: 'object',
  mediaType: 'text',
  name: 'text',
  summary: 'text',
  resourceRefs: 'list',
  artifactRefs: 'list',
  artifacts: 'list',
  failure: 'text',
  native: 'object',
  partialFailure: 'text',
  contextModifier: 'object',
} as const satisfies Record<keyof ToolOutput, OptionKind>

// Registered symbols: a tool module may hold another copy of this package, and JSON can never carry them.
const OUTPUT = Symbol.for('toolcrib.output')
const PARTIAL = Symbol.for('toolcrib.partial')

/** For executors: returns content blocks, refs and structured content, each separately. */
export function toolOutput(output: ToolOutput): ToolOutput {
  checkOptions('toolOutput', output, OUTPUT_OPTIONS)
  if (output.artifacts) checkNewArtifacts(output.artifacts)
  return Object.assign({ [OUTPUT]: true }, output)
}

/** Yielded by an executor: part of the result, recorded and streamed at once. */
export function partialResult(value: unknown): PartialOutput {
  return Object.assign({ [PARTIAL]: true }, { value })
}

/** The type of the block that holds bytes of this media type. */
export function mediaClass(mediaType: string): ContentBlock['type'] {
  const [kind] = mediaType.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

export function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === 'object' && value !== null && OUTPUT in value
}

export function isPartialOutput(value: unknown): value is PartialOutput {
  return typeof value === 'object' && value !== null && PARTIAL in value
}
