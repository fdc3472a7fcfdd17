import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { splitWords } from '../words/split-words.js'

/** Longer texts take longer, and their first sentences say what they are about. */
const MAX_CHARS = 600

/** A tool's name and description as a sentence: `search issues: Finds issues by their words.` */
export function toolSentence({ draft }: CatalogTool): string {
  const { name, description, searchHint } = draft
  const said = `${splitWords(name).join(' ')}: ${description}`
  return toSentence(typeof searchHint === 'string' ? `${said} ${searchHint}` : said)
}

/** The text for the model; empty where it holds no word. */
export function toSentence(text: string): string {
  const short = text.slice(0, MAX_CHARS).trim()
  return /[\p{L}\p{N}]/u.test(short) ? short : ''
}
