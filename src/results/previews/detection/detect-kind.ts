import type { ContentKind } from '../content-kind.js'
import { sampleOf } from '../samples/create-sampler.js'
import type { Sample } from '../samples/sample.js'
import type { KindHints } from './kind-hints.js'
import { kindOfCommand } from './kind-of-command.js'
import { kindOfContent } from './kind-of-content.js'
import { kindOfMediaType } from './kind-of-media-type.js'
import { kindOfName } from './kind-of-name.js'

const LOOKED_AT_CHARS = 20_000

/** What kind of content a text is: what is stated comes before what it looks like, and that before what is usual. */
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
  // A search through sources shows lines of code, and a directory may hold names like commands.
  if (usual === 'listing' && (seen === 'code' || seen === 'log' || seen === 'table')) return usual
  if (seen ?? usual) return (seen ?? usual)!
  if (command !== undefined || exitCode !== undefined) return 'log'
  return sample.errorLines.length > 0 && !looksLikeProse(sample.head) ? 'log' : 'text'
}

/** Sentences that end, and the marks of headings and lists. They may speak of errors without telling of one. */
function looksLikeProse(head: string): boolean {
  const lines = head
    .slice(0, LOOKED_AT_CHARS)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const marked = lines.filter((line) => /[.,;!?]\s{0,9}$|^\s{0,9}(?:[#>*|-]+ |\d+\. )/.test(line))
  return marked.length > lines.length / 4
}
