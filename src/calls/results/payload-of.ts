import type { ContentBlock, ToolResult } from '../../foundation/contract/objects/tool-result.js'
import { sameJson } from '../../foundation/json/same-json.js'

/** A result's output as one text, to be kept elsewhere. */
export interface OutputText {
  text: string
  /** Where it is no text. */
  bytes?: Uint8Array
  mediaType: string
  /** The class of the only block, where it says something of the text. */
  blockType: ContentBlock['type']
}

const TEXT_BLOCKS = new Set<ContentBlock['type']>(['text', 'log', 'diff'])

type Output = Pick<ToolResult, 'content' | 'structured_content'>

/** What a reader gets of a result: structured content as its JSON, else its content. */
export function payloadOf(result: Output, mediaType?: string): OutputText {
  const { structured_content: structured, content = [] } = result
  return structured === undefined ? textOfContent(content, mediaType) : jsonOf(structured)
}

/** The same with both where a tool says one thing as data and another in words. */
export function wholeOf(result: Output, mediaType?: string): OutputText {
  const parts = partsOf(result, mediaType)
  return parts ? parts.both() : payloadOf(result, mediaType)
}

/** A result that says one thing as data and another in words. */
export interface OutputParts {
  structured: OutputText
  content: OutputText
  /** The blocks of the words: without one that only writes the data out. */
  words: ContentBlock[]
  /** In one JSON. */
  both(): OutputText
}

/** Nothing where there is only one of them, or where the words are the JSON of the data. */
export function partsOf(result: Output, mediaType?: string): OutputParts | undefined {
  const { content = [], structured_content: structured } = result
  if (structured === undefined) return undefined
  const words = content.filter((block) => !isJsonOf(block, structured))
  if (words.length === 0) return undefined
  return {
    structured: jsonOf(structured),
    content: textOfContent(words, mediaType),
    words,
    both: () => jsonOf({ structured_content: structured, content: words }),
  }
}

function isJsonOf({ type, text }: ContentBlock, structured: unknown): boolean {
  if (!TEXT_BLOCKS.has(type) || text === undefined) return false
  if (text === JSON.stringify(structured)) return true
  try {
    return sameJson(JSON.parse(text), structured)
  } catch {
    return false
  }
}

function jsonOf(value: unknown): OutputText {
  return { text: JSON.stringify(value), mediaType: 'application/json', blockType: 'structured_content' }
}

/** Texts as they are, anything else as the list of its blocks. */
function textOfContent(content: readonly ContentBlock[], mediaType: string | undefined): OutputText {
  if (!content.every(({ type, text }) => TEXT_BLOCKS.has(type) && text !== undefined)) return jsonOf(content)
  const blockType = content[0]?.type ?? 'text'
  const text = content.map((block) => block.text).join('\n')
  return { text, mediaType: mediaType ?? typeOf(blockType), blockType }
}

function typeOf(blockType: ContentBlock['type']): string {
  return blockType === 'diff' ? 'text/x-diff' : 'text/plain'
}
