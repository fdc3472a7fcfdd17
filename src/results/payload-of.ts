import type { ContentBlock, ToolResult } from '../contract/objects/tool-result.js'
import { TEXT_BLOCKS, toldTwice, type ToldText } from './told-twice.js'

/** A result's output as one text, to be kept elsewhere. */
export interface OutputText {
  text: string
  /** Where it is no text. */
  bytes?: Uint8Array
  mediaType: string
  /** The class of the only block, where it says something of the text. */
  blockType: ContentBlock['type']
}

type Output = Pick<ToolResult, 'content' | 'structured_content'>

/** What a reader gets of a result: its words where they say all, with their lines; else the JSON of its data. */
export function payloadOf(result: Output, mediaType?: string): OutputText {
  const { structured_content: structured, content = [] } = result
  if (structured === undefined || toldTwice(content, structured).isAllInWords)
    return textOfContent(content, mediaType)
  return jsonOf(structured)
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

/** Nothing where there is only one of them, or where the words say no more than the data. */
export function partsOf(result: Output, mediaType?: string): OutputParts | undefined {
  const { content = [], structured_content: structured } = result
  if (structured === undefined) return undefined
  const { repeats } = toldTwice(content, structured)
  const words = content.filter((block) => !repeats(block))
  if (words.length === 0) return undefined
  return {
    structured: jsonOf(structured),
    content: textOfContent(words, mediaType),
    words,
    both: () => jsonOf({ structured_content: structured, content: words }),
  }
}

/** A text that a result says in words and in its data, and what it says besides. */
export interface SharedText extends Pick<ToldText, 'withInstead'> {
  text: OutputText
  /** All that is neither the text nor says it again. */
  words: ContentBlock[]
  /** The rest of data and words as one text, to be measured. Empty where the data says nothing else. */
  rest: string
}

/** Nothing where no text stands in both, or where it is the smaller part of the output. */
export function sharedTextOf(result: Output, mediaType?: string): SharedText | undefined {
  const { content = [], structured_content: structured } = result
  if (structured === undefined || content.length === 0) return undefined
  const { text, repeats } = toldTwice(content, structured)
  if (!text) return undefined
  const words = content.filter((block) => !repeats(block))
  const data = text.isAll ? [] : [JSON.stringify(text.withInstead(''))]
  const rest = [...data, ...words.map((block) => JSON.stringify(block))].join('\n')
  if (rest.length > text.block.text!.length) return undefined
  return { text: textOfContent([text.block], mediaType), words, rest, withInstead: text.withInstead }
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
