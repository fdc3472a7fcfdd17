import type { ContentKind } from '../content-kind.js'

const kinds: Readonly<Record<string, ContentKind>> = {
  'application/json': 'json',
  'text/json': 'json',
  'application/x-ndjson': 'json_lines',
  'application/ndjson': 'json_lines',
  'application/jsonl': 'json_lines',
  'application/json-seq': 'json_lines',
  'text/csv': 'table',
  'text/tab-separated-values': 'table',
  'text/x-diff': 'diff',
  'text/x-patch': 'diff',
  'text/html': 'markup',
  'text/xml': 'markup',
  'application/xml': 'markup',
  'application/xhtml+xml': 'markup',
  'image/svg+xml': 'markup',
  'text/javascript': 'code',
  'application/javascript': 'code',
  'text/css': 'code',
  'application/pdf': 'binary',
  'application/zip': 'binary',
  'application/gzip': 'binary',
  'application/wasm': 'binary',
}

/** What a media type says, if it says more than that there is text. */
export function kindOfMediaType(mediaType: string): ContentKind | undefined {
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  if (Object.hasOwn(kinds, type)) return kinds[type]
  if (type.endsWith('+json')) return 'json'
  if (type.endsWith('+xml')) return 'markup'
  if (/^(?:image|audio|video|font)\//.test(type)) return 'binary'
  return /^text\/x-(?!log)[a-z+-]+$/.test(type) ? 'code' : undefined
}
