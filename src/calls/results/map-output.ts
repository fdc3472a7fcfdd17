import type { ContentBlock } from '../../foundation/contract/objects/tool-result.js'
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
  const copy = copyPlain(value, 0)
  return copy === NOT_PLAIN ? JSON.parse(text) : copy
}

const NOT_PLAIN = Symbol('not plain')

/** What JSON would write differently is not plain, and neither is what lies deep enough to be a circle. */
function copyPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : NOT_PLAIN
    case 'object':
      break
    default:
      return NOT_PLAIN
  }
  if (value === null) return null
  if (depth > 4 || Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return NOT_PLAIN
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member =
      key === '__proto__' ? NOT_PLAIN : copyPlain((value as Record<string, unknown>)[key], depth + 1)
    if (member === NOT_PLAIN) return NOT_PLAIN
    result[key] = member
  }
  return result
}

// A copy by way of JSON: what the executor keeps of its output must not change the record.
function copyBlock(block: unknown): ContentBlock {
  return JSON.parse(JSON.stringify(block)) as ContentBlock
}
