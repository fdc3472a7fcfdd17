import type { ContentKind } from '../content-kind.js'
import { sampleOf } from '../samples/create-sampler.js'
import type { Sample } from '../samples/sample.js'
import type { KindHints } from './kind-hints.js'
import { kindOfCommand } from './kind-of-command.js'
import { kindOfContent } from './kind-of-content.js'
import { kindOfName } from './kind-of-name.js'

const LOOKED_AT_CHARS = 20_000

/** Detects the kind of content: from what is stated, then from the text, then from what is usual. */
export function detectKind(given: Sample | string, hints: KindHints = {}): ContentKind {
  const sample = typeof given === 'string' ? sampleOf(given) : given
  const { mediaType, blockType, command, exitCode, name } = hints
  if (sample.hasBinary) return 'binary'
  const stated = (mediaType && kindOfMediaType(mediaType)) || (name && kindOfName(name))
  if (stated && stated !== 'log' && stated !== 'text') return stated
  if (blockType === 'diff') return blockType
  const seen = kindOfContent(sample.head, sample.isWhole)
  const isRecords = seen === 'json' || seen === 'json_lines'
  if (stated || blockType === 'log') return isRecords ? seen : stated || 'log'
  const usual = command === undefined ? undefined : kindOfCommand(command)
  // A search through sources shows lines of code, and a directory listing may hold names like commands.
  if (usual === 'listing' && (seen === 'code' || seen === 'log' || seen === 'table')) return usual
  if (seen ?? usual) return (seen ?? usual)!
  if (command !== undefined || exitCode !== undefined) return 'log'
  return sample.errorLines.length > 0 && !looksLikeProse(sample.head) ? 'log' : 'text'
}

/** Complete sentences, and the marks of headings and lists. Prose may mention errors without reporting one. */
function looksLikeProse(head: string): boolean {
  const lines = head
    .slice(0, LOOKED_AT_CHARS)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const marked = lines.filter((line) => /[.,;!?]\s{0,9}$|^\s{0,9}(?:[#>*|-]+ |\d+\. )/.test(line))
  return marked.length > lines.length / 4
}

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

/** The kind for a media type, if that is more specific than text. */
function kindOfMediaType(mediaType: string): ContentKind | undefined {
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  if (Object.hasOwn(kinds, type)) return kinds[type]
  if (type.endsWith('+json')) return 'json'
  if (type.endsWith('+xml')) return 'markup'
  if (/^(?:image|audio|video|font)\//.test(type)) return 'binary'
  return /^text\/x-(?!log)[a-z+-]+$/.test(type) ? 'code' : undefined
}
