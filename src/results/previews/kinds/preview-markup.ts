import { headOf } from '../cuts/safe-cut.js'
import type { PreviewKind } from '../preview-body.js'
import { previewText } from './preview-text.js'
import { withNote } from './with-note.js'

const NAMED_HEADINGS = 30
const HEADING_CHARS = 80

const heading = /<(?:title|h[1-3])\b[^<>]{0,200}>([^<]{0,200})/gi

/** Mostly the head, then the title and the first headings of the page. */
export const previewMarkup: PreviewKind = (sample) => {
  const draw = previewText(sample)
  const headings: string[] = []
  for (const [, words] of sample.head.matchAll(heading)) {
    const text = headOf(words!.replace(/\s+/g, ' ').trim(), HEADING_CHARS)
    if (text !== '') headings.push(text)
    if (headings.length === NAMED_HEADINGS) break
  }
  const note = headings.length === 0 ? undefined : `[Title and headings: ${headings.join('; ')}]`
  return (room) => withNote(room, { note }, draw)
}
