import type { Analysis } from './analyse-tool.js'
import { isPackedVector, type PackedVector } from './meaning/pack-vector.js'

/** The stored analysis of one tool. Numbers are packed and written in base64, because there are many. */
export interface KeptTool {
  fingerprint: string
  /** The day, counted from 1970, on which the writer of the group last saw the tool. */
  seenOn: number
  terms: string
  weights: string
  meaning?: string
  sentence?: string
}

/** Several tools, by id. */
export interface AnalysisGroup {
  stamp: string
  /** The model that embedded the sentences. */
  model?: string
  tools: Record<string, KeptTool>
}

const GROUPS = 64

/** The same tool is always in the same group, so that a change of one tool rewrites few. */
export function groupOf(toolId: string): string {
  let hash = 0
  for (let at = 0; at < toolId.length; at++) hash = (Math.imul(hash, 31) + toolId.charCodeAt(at)) | 0
  return String((hash >>> 0) % GROUPS).padStart(2, '0')
}

/** Undefined where it is no group, or one of another analysis version. */
export function parseGroup(value: unknown, stamp: string): AnalysisGroup | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { stamp: written, model, tools } = value as Partial<AnalysisGroup>
  if (written !== stamp || typeof tools !== 'object' || tools === null) return undefined
  const sound = Object.entries(tools).filter(([, tool]) => isKeptTool(tool))
  // Without a prototype: tool ids may be any string.
  const safe: AnalysisGroup = { stamp, tools: Object.assign(Object.create(null), Object.fromEntries(sound)) }
  if (typeof model === 'string') safe.model = model
  return safe
}

function isKeptTool(value: unknown): value is KeptTool {
  if (typeof value !== 'object' || value === null) return false
  const { fingerprint, seenOn, terms, weights, meaning, sentence } = value as Partial<KeptTool>
  const isText = (text: unknown): boolean => typeof text === 'string'
  const isTextOrAbsent = (text: unknown): boolean => text === undefined || isText(text)
  return (
    [fingerprint, terms, weights].every(isText) &&
    typeof seenOn === 'number' &&
    [meaning, sentence].every(isTextOrAbsent)
  )
}

export function toKeptAnalysis({
  terms,
  meaning,
}: Analysis): Pick<KeptTool, 'terms' | 'weights' | 'meaning'> {
  const weights = Buffer.alloc(4 * terms.size)
  let at = 0
  for (const weight of terms.values()) at = weights.writeFloatLE(weight, at)
  return {
    terms: [...terms.keys()].join(' '),
    weights: weights.toString('base64'),
    ...(meaning && { meaning: toText(meaning) }),
  }
}

export function toText(packed: PackedVector): string {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('base64')
}

/** Undefined where it is inconsistent. `dimensions`: of the word vectors, if there are any. */
export function fromKeptAnalysis(
  { terms: joined, weights: packed, meaning }: KeptTool,
  dimensions: number | undefined,
): Analysis | undefined {
  const names = joined === '' ? [] : joined.split(' ')
  const bytes = Buffer.from(packed, 'base64')
  if (bytes.length !== 4 * names.length) return undefined
  const terms = new Map<string, number>()
  for (let at = 0; at < names.length; at++) {
    const weight = bytes.readFloatLE(4 * at)
    if (!(weight > 0) || weight === Infinity) return undefined
    terms.set(names[at]!, weight)
  }
  if (terms.size !== names.length) return undefined
  if (meaning === undefined) return { terms, meaning: undefined }
  const vector = dimensions === undefined ? undefined : fromText(meaning, dimensions)
  return vector && { terms, meaning: vector }
}

export function fromText(text: string, dimensions: number): PackedVector | undefined {
  const packed = new Uint8Array(Buffer.from(text, 'base64'))
  return isPackedVector(packed, dimensions) ? packed : undefined
}
