import type { Analysis } from './analyse-tool.js'
import { isPackedVector, type PackedVector } from './meaning/pack-vector.js'

/** What is kept of one tool. Numbers are packed and written in base64: there are many. */
export interface KeptTool {
  fingerprint: string
  /** The day, counted from 1970, on which the tool was last seen by who wrote the group. */
  seenOn: number
  terms: string
  weights: string
  meaning?: string
  sentence?: string
}

/** Some tools together, by their id. */
export interface AnalysisGroup {
  stamp: string
  /** The model by which the sentences were read. */
  model?: string
  tools: Record<string, KeptTool>
}

const GROUPS = 64

/** Always the same group for the same tool, so that a change of one is a write of few. */
export function groupOf(toolId: string): string {
  let hash = 0
  for (let at = 0; at < toolId.length; at++) hash = (Math.imul(hash, 31) + toolId.charCodeAt(at)) | 0
  return String((hash >>> 0) % GROUPS).padStart(2, '0')
}

/** Nothing where it is not a group, or one of another analysis. */
export function parseGroup(value: unknown, stamp: string): AnalysisGroup | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { stamp: written, model, tools } = value as Partial<AnalysisGroup>
  if (written !== stamp || typeof tools !== 'object' || tools === null) return undefined
  const sound = Object.entries(tools).filter(([, tool]) => isKeptTool(tool))
  // Without a prototype: ids of tools are anybody's.
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

/** Nothing where it does not add up. `dimensions`: of the word vectors, if there are any. */
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
