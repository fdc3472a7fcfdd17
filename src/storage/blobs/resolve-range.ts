import { blobError } from './blob-error.js'
import type { BlobReadOptions } from './blob-store.js'

export interface ResolvedRange {
  start: number
  /** Exclusive, and never before `start`. */
  end: number
  isWhole: boolean
}

/** The bytes of a blob of that size that are requested, limited to its end. */
export function resolveRange({ start, end }: BlobReadOptions, sizeBytes: number): ResolvedRange {
  const first = Math.min(checkOffset('start', start) ?? 0, sizeBytes)
  const last = Math.max(first, Math.min(checkOffset('end', end) ?? sizeBytes, sizeBytes))
  return { start: first, end: last, isWhole: first === 0 && last === sizeBytes }
}

function checkOffset(name: string, place: number | undefined): number | undefined {
  if (place === undefined || (Number.isSafeInteger(place) && place >= 0)) return place
  throw blobError(
    'toolcrib.blob_invalid',
    `"${name}" of a range is a whole number of bytes from 0 on, not ${String(place)}.`,
  )
}
