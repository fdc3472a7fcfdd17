import type { ContentBlock, ToolResult } from '../contract/objects/tool-result.js'
import { TEXT_BLOCKS, findRepeated, type RepeatedText } from './find-repeated.js'

/** A result's output as one text, for storage. */
export interface OutputText {
  text: string
  /** Present where the output is not text. */
  bytes?: Uint8Array
  mediaType: string
  /** The type of the only block, where it describes the text. */
  blockType: ContentBlock['type']
}

type Output = Pick<ToolResult, 'content' | 'structured_content'>

/**
 * What a reader of a stored result gets: the text blocks where they contain everything, with their lines; else the JSON
 * of the data.
 */
export function payloadOf(result: Output, mediaType?: string): OutputText {
  const { structured_content: structured, content = [] } = result
  if (structured === undefined || findRepeated(content, structured).isAllInText)
    return textOfContent(content, mediaType)
  return jsonOf(structured)
}

/** The same, but with both where the data and the text blocks differ. */
export function wholeOf(result: Output, mediaType?: string): OutputText {
  const parts = partsOf(result, mediaType)
  return parts ? parts.both() : payloadOf(result, mediaType)
}

/** A result whose data and text blocks differ. */
export interface OutputParts {
  structured: OutputText
  content: OutputText
  /** The text blocks, without those that only repeat the data. */
  blocks: ContentBlock[]
  /** Both in one JSON. */
  both(): OutputText
}

/** Undefined where there is only one of them, or where the text blocks only repeat the data. */
export function partsOf(result: Output, mediaType?: string): OutputParts | undefined {
  const { content = [], structured_content: structured } = result
  if (structured === undefined) return undefined
  const { repeats } = findRepeated(content, structured)
  const blocks = content.filter((block) => !repeats(block))
  if (blocks.length === 0) return undefined
  return {
    structured: jsonOf(structured),
    content: textOfContent(blocks, mediaType),
    blocks,
    both: () => jsonOf({ structured_content: structured, content: blocks }),
  }
}

/** A text that is both in a result's text blocks and in its data, and the rest of the output. */
export interface SharedText extends Pick<RepeatedText, 'withReplaced'> {
  text: OutputText
  /** The blocks that do not repeat the data. */
  blocks: ContentBlock[]
  /** The rest of data and blocks as one text, to be measured. Empty where the data holds nothing else. */
  rest: string
}

/** Undefined where no text is in both, or where it is the smaller part of the output. */
export function sharedTextOf(result: Output, mediaType?: string): SharedText | undefined {
  const { content = [], structured_content: structured } = result
  if (structured === undefined || content.length === 0) return undefined
  const { text, repeats } = findRepeated(content, structured)
  if (!text) return undefined
  const blocks = content.filter((block) => !repeats(block))
  const data = text.isAll ? [] : [JSON.stringify(text.withReplaced(''))]
  const rest = [...data, ...blocks.map((block) => JSON.stringify(block))].join('\n')
  if (rest.length > text.block.text!.length) return undefined
  return { text: textOfContent([text.block], mediaType), blocks, rest, withReplaced: text.withReplaced }
}

function jsonOf(value: unknown): OutputText {
  return { text: JSON.stringify(value), mediaType: 'application/json', blockType: 'structured_content' }
}

/** Text blocks as text, anything else as the JSON of the blocks. */
function textOfContent(content: readonly ContentBlock[], mediaType: string | undefined): OutputText {
  if (!content.every(({ type, text }) => TEXT_BLOCKS.has(type) && text !== undefined)) return jsonOf(content)
  const blockType = content[0]?.type ?? 'text'
  const text = content.map((block) => block.text).join('\n')
  return { text, mediaType: mediaType ?? typeOf(blockType), blockType }
}

function typeOf(blockType: ContentBlock['type']): string {
  return blockType === 'diff' ? 'text/x-diff' : 'text/plain'
}
