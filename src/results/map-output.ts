import type { ContentBlock } from '../contract/objects/tool-result.js'
import { contentClasses } from '../contract/unions.js'
import type { NativeFacts } from '../catalog/native.js'
import { isToolOutput, type ToolOutput } from '../catalog/tool-output.js'
import type { DraftOutput } from '../catalog/tool-draft.js'
import { flatJson } from '../platform/json/flat-json.js'
import { withMembers } from '../platform/json/with-members.js'
import { mediaBlock } from './media-block.js'
import { copyPlain, parseCopy } from './copy-output.js'
import { resourceRefsOf } from './resource-refs.js'

/** An output in all its forms, each made once and independent of the others. */
export interface MappedOutput {
  content: ContentBlock[]
  /** JSON; `undefined` when the output is only text or empty. */
  structured: unknown
  /** The value that the output schema validates. */
  checked: unknown
  /** The output schema could not be applied. */
  isUnchecked?: boolean
  modelFacing: ContentBlock[]
  uiSummary?: string | undefined
  transcriptText?: string | undefined
  summary: string | undefined
  isEmpty: boolean
  /** A value or a text without further members: its content is its text, and the model gets that. */
  isBare: boolean
  /** The content is the JSON text of the structure, and nothing else beside native facts is said. */
  isJsonText: boolean
  resourceRefs?: Record<string, unknown>[] | undefined
  artifactRefs?: Record<string, unknown>[] | undefined
  partialFailure?: string | undefined
  failure?: string | undefined
  native?: NativeFacts | undefined
  contextModifier?: Record<string, unknown> | undefined
  /** Size in characters of everything that a result would hold. */
  size: number
  /** How often each rule redacted something. */
  redactions?: Readonly<Record<string, number>> | undefined
}

export const EMPTY_TEXT = 'The tool finished and returned nothing.'

/** Throws when the output cannot be shown as JSON; a mapper of the tool may throw too. */
export function mapOutput(output: unknown, draft: DraftOutput): MappedOutput {
  if (isToolOutput(output)) return mapWrapped(output, draft)
  if (output instanceof Uint8Array && output.byteLength > 0)
    return mapWrapped({ content: [mediaBlock(output, draft.mediaType ?? 'application/octet-stream')] }, draft)
  const mapped = mapValue(output instanceof Uint8Array ? undefined : output)
  return draft.toModel || draft.toUi || draft.transcriptText ? withMappers(mapped, output, draft) : mapped
}

/** A bare value: the model gets its text or its JSON. Without the members that only wrapped outputs have. */
function mapValue(value: unknown): MappedOutput {
  const isText = typeof value === 'string'
  // The text is that of the copy: an accessor may give something else when it is read again.
  const plain = typeof value === 'object' ? copyPlain(value) : undefined
  const text = textOf(plain ?? value)
  const structured = text === undefined || isText ? undefined : (plain ?? parseCopy(value, text))
  const isEmpty = text === undefined
  const content: ContentBlock[] = isEmpty ? [] : [{ type: 'text', text }]
  return {
    content,
    structured,
    checked: isText ? value : (structured ?? null),
    modelFacing: isEmpty ? [{ type: 'text', text: EMPTY_TEXT }] : content,
    summary: isEmpty ? EMPTY_TEXT : undefined,
    isEmpty,
    isBare: true,
    isJsonText: structured !== undefined,
    size: text?.length ?? 0,
  }
}

const ONLY_STRUCTURE = [
  'content',
  'summary',
  'resourceRefs',
  'artifactRefs',
  'artifacts',
  'failure',
  'partialFailure',
  'contextModifier',
] as const satisfies readonly (keyof ToolOutput)[]

function mapWrapped(said: ToolOutput, draft: DraftOutput): MappedOutput {
  const { content, structured, checked, modelFacing, summary, isEmpty, isJsonText, size } = mapValue(
    said.structured,
  )
  const mapped: MappedOutput = {
    content,
    structured,
    checked,
    modelFacing,
    uiSummary: undefined,
    transcriptText: undefined,
    summary: summary ?? said.summary,
    isEmpty,
    isBare: false,
    isJsonText: isJsonText && ONLY_STRUCTURE.every((member) => said[member] === undefined),
    resourceRefs: undefined,
    artifactRefs: said.artifactRefs && said.artifactRefs.map(copyJson),
    partialFailure: said.partialFailure,
    failure: said.failure,
    native: undefined,
    contextModifier: said.contextModifier && copyJson(said.contextModifier),
    size,
    redactions: undefined,
  }
  if (said.content && said.content.length > 0) {
    mapped.content = said.content.map(toBlock)
    mapped.modelFacing = mapped.content
    mapped.size += sizeOf(mapped.content)
    mapped.isEmpty = false
    mapped.summary = said.summary
  }
  // A stated failure counts as content.
  if (said.failure !== undefined && mapped.isEmpty)
    Object.assign(mapped, { isEmpty: false, modelFacing: [], summary: said.summary })
  // Explicitly empty content of a protocol stays empty; the model still gets the data as text.
  if (said.native) {
    mapped.native = isFlat(said.native) ? withMembers({}, said.native) : copyJson(said.native)
    if (said.content?.length === 0) mapped.content = []
  }
  mapped.resourceRefs = resourceRefsOf(mapped.content, said.resourceRefs?.map(copyJson))
  mapped.size += lengthOf(mapped.summary) + jsonLength(mapped)
  return withMappers(mapped, said.structured, draft)
}

function withMappers(mapped: MappedOutput, raw: unknown, draft: DraftOutput): MappedOutput {
  mapped.isBare = false
  mapped.isJsonText &&= !draft.toModel && !draft.toUi && !draft.transcriptText
  const { toModel, toUi, transcriptText } = draft as Record<
    keyof DraftOutput,
    ((output: unknown) => unknown) | undefined
  >
  if (toModel && !mapped.isEmpty) {
    mapped.modelFacing = mapForModel(toModel(raw))
    mapped.size += sizeOf(mapped.modelFacing)
  }
  if (toUi) mapped.uiSummary = String(toUi(raw))
  if (transcriptText) mapped.transcriptText = String(transcriptText(raw))
  mapped.size += lengthOf(mapped.uiSummary, mapped.transcriptText)
  return mapped
}

/** The output as text: itself, or its JSON; undefined for an empty output. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  const text = (typeof value === 'object' ? flatJson(value) : undefined) ?? JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} cannot be shown as JSON`)
  return text
}

function mapForModel(mapped: unknown): ContentBlock[] {
  if (Array.isArray(mapped) && mapped.length > 0 && mapped.every(isBlock)) return mapped.map(toBlock)
  return [{ type: 'text', text: textOf(mapped) ?? EMPTY_TEXT }]
}

function isBlock(value: unknown): boolean {
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined
  return (contentClasses as readonly unknown[]).includes(type)
}

/** A copy: the executor must not be able to change the record later. A block of an unknown type becomes text. */
function toBlock(block: unknown): ContentBlock {
  if (isBlock(block))
    return isFlat(block as object) ? withMembers({}, block as ContentBlock) : copyJson(block as ContentBlock)
  return { type: 'text', text: textOf(block) ?? EMPTY_TEXT }
}

/** Whether JSON would write every member unchanged: then a long text need not be serialized and parsed. */
function isFlat(block: object): boolean {
  if (Object.getPrototypeOf(block) !== Object.prototype) return false
  for (const key in block) {
    const value: unknown = (block as Record<string, unknown>)[key]
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) return false
  }
  return true
}

function copyJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
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

function lengthOf(...texts: (string | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

function jsonLength({ resourceRefs, artifactRefs, contextModifier }: MappedOutput): number {
  if (!resourceRefs && !artifactRefs && !contextModifier) return 0
  return JSON.stringify([resourceRefs, artifactRefs, contextModifier]).length
}
