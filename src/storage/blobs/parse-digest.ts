import { blobError } from './blob-error.js'

const DIGEST = /^sha256:([0-9a-f]{64})$/

/** The 64 digits. Anything else is refused here, before it becomes part of a path or a URL. */
export function parseDigest(digest: unknown): string {
  const hex = typeof digest === 'string' ? DIGEST.exec(digest)?.[1] : undefined
  if (hex !== undefined) return hex
  throw blobError(
    'toolcrib.blob_invalid',
    `A blob's digest is "sha256:" and 64 hexadecimal digits in lower case, not ${JSON.stringify(String(digest).slice(0, 80))}.`,
  )
}

export function toDigest(hex: string): string {
  return `sha256:${hex}`
}
