import type { ContentBlock } from '../../foundation/contract/objects/tool-result.js'
import { mutableCopy } from '../../foundation/json/mutable-copy.js'
import { isToolOutput, type ToolOutput } from '../../supply/catalog/tool-output.js'
import type { DraftOutput } from '../../supply/catalog/tool-draft.js'

/** An output in all its forms, each made once and kept apart from the others. */
export interface MappedOutput {
  content: ContentBlock[]
  /** JSON; `undefined` when the output is only text or nothing. */
  structured: unknown
  modelFacing: ContentBlock[]
  uiSummary: string | undefined
  transcriptText: string | undefined
  summary: string | undefined
  isEmpty: boolean
  resourceRefs: ToolOutput['resourceRefs']
  artifactRefs: ToolOutput['artifactRefs']
  partialFailure: string | undefined
  contextModifier: Record<string, unknown> | undefined
  /** Characters of what the model would receive. */
  size: number
}

export const EMPTY_TEXT = 'The tool finished and returned nothing.'

/** Throws when the output cannot be shown as JSON; a mapper of the tool may throw too. */
export function mapOutput(output: unknown, draft: DraftOutput): MappedOutput {
  const said: ToolOutput = isToolOutput(output) ? output : { structured: output }
  const text = textOf(said.structured)
  const isEmpty = text === undefined && (said.content === undefined || said.content.length === 0)
  const structured =
    text === undefined || typeof said.structured === 'string' ? undefined : copyOf(said.structured, text)
  const content: ContentBlock[] = said.content ? said.content.map(copyBlock) : []
  if (text !== undefined && content.length === 0) content.push({ type: 'text', text })
  const modelFacing = draft.toModel && !isEmpty ? mapForModel(draft.toModel, said, output) : content
  return {
    content,
    structured,
    modelFacing: isEmpty ? [{ type: 'text', text: EMPTY_TEXT }] : modelFacing,
    uiSummary: draft.toUi
      ? String((draft.toUi as (output: unknown) => unknown)(rawOf(said, output)))
      : undefined,
    transcriptText: draft.transcriptText
      ? String((draft.transcriptText as (output: unknown) => unknown)(rawOf(said, output)))
      : undefined,
    summary: isEmpty ? EMPTY_TEXT : said.summary,
    isEmpty,
    resourceRefs: said.resourceRefs,
    artifactRefs: said.artifactRefs,
    partialFailure: said.partialFailure,
    contextModifier: said.contextModifier,
    size: sizeOf(modelFacing),
  }
}

function rawOf(said: ToolOutput, output: unknown): unknown {
  return isToolOutput(output) ? said.structured : output
}

/** The output as text: itself, or its JSON. Nothing for nothing. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} cannot be shown as JSON`)
  return text
}

function mapForModel(
  toModel: NonNullable<DraftOutput['toModel']>,
  said: ToolOutput,
  output: unknown,
): ContentBlock[] {
  const mapped: unknown = (toModel as (output: unknown) => unknown)(rawOf(said, output))
  if (Array.isArray(mapped)) return mapped.map(copyBlock)
  return [{ type: 'text', text: textOf(mapped) ?? EMPTY_TEXT }]
}

/** A copy that shares nothing with the executor's value. Plain data is copied as it is, all else by way of its JSON. */
function copyOf(value: unknown, text: string): unknown {
  return isPlainData(value, 0) ? mutableCopy(value) : JSON.parse(text)
}

/** Small and plain enough to be walked; what JSON would write differently is not. */
function isPlainData(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      break
    default:
      return false
  }
  if (value === null) return true
  if (depth > 4 || Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false
  for (const key of Object.keys(value)) {
    if (!isPlainData((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

// A copy by way of JSON: what the executor keeps of its output must not change the record.
function copyBlock(block: unknown): ContentBlock {
  return JSON.parse(JSON.stringify(block)) as ContentBlock
}

function sizeOf(blocks: readonly ContentBlock[]): number {
  let size = 0
  for (const block of blocks) {
    size +=
      block.type === 'text' && typeof block.text === 'string'
        ? block.text.length
        : JSON.stringify(block).length
  }
  return size
}
