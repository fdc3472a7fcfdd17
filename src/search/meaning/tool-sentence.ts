import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { splitWords } from '../words/split-words.js'

/** Longer texts take longer, and say what they are about in their first sentences. */
const MAX_CHARS = 600

/** What a tool says of itself as a sentence: `search issues: Finds issues by their words.` */
export function toolSentence({ draft }: CatalogTool): string {
  const { name, description, searchHint } = draft
  const said = `${splitWords(name).join(' ')}: ${description}`
  return toSentence(typeof searchHint === 'string' ? `${said} ${searchHint}` : said)
}

/** What a model is given of a text; empty where there is no word in it. */
export function toSentence(text: string): string {
  const short = text.slice(0, MAX_CHARS).trim()
  return /[\p{L}\p{N}]/u.test(short) ? short : ''
}
