import { sayNumber } from '../previews/cuts/say-number.js'
import { detectKind } from '../previews/detection/detect-kind.js'
import { previewOf } from '../previews/preview-of.js'
import type { DrainedStream } from '../payloads/drain-stream.js'

const PREVIEW_CHARS = 2000

/** The short description in the record, which shows what the artifact is without opening it. */
export function previewOfArtifact({ sample, mediaType, name, sizeBytes }: DrainedStream): string {
  if (!sample) return `[${mediaType}, ${sayNumber(sizeBytes)} bytes; no text.]`
  const kind = detectKind(sample, { mediaType, ...(name !== undefined && { name }) })
  return previewOf(sample, { kind, limits: { maxChars: PREVIEW_CHARS } }).text
}
