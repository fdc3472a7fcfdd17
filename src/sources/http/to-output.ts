import type { Readable } from 'node:stream'
import type { NativeFacts } from '../../catalog/native.js'
import { mediaClass, toolOutput, type ContentBlock, type ToolOutput } from '../../catalog/tool-output.js'
import { bareType, isJson, isLines, isText } from './media-types.js'
import { textOf, type AnsweredRequest } from './answered-request.js'

export interface GoodAnswer extends AnsweredRequest {
  readonly body: Buffer | Readable
}

/** A successful response as an output: JSON as data, text as text, media as media, and what is long as a stream. */
export function toOutput({ headers, body }: GoodAnswer, native: NativeFacts): ToolOutput {
  const contentType = textOf(headers['content-type']) ?? ''
  const mediaType = bareType(contentType)
  if (!Buffer.isBuffer(body)) {
    const name = fileNameOf(textOf(headers['content-disposition']))
    return toolOutput({
      stream: body,
      native,
      ...(mediaType !== '' && { mediaType }),
      ...(name !== undefined && { name }),
    })
  }
  if (body.length === 0) return toolOutput({ native })
  const json = mightBeJson(mediaType, body) ? parseJson(body) : undefined
  if (json !== undefined && typeof json !== 'string' && json !== null)
    return toolOutput({ structured: json, native, ...exactText(json, body) })
  return toolOutput({ content: [blockOf(body, { mediaType, contentType, headers })], native })
}

/** The text itself, where it has ids with more digits than a number of JavaScript can hold: a model reads them there. */
function exactText(value: unknown, body: Buffer): { readonly content?: ContentBlock[] } {
  return hasLongInteger(value) ? { content: [{ type: 'text', text: body.toString('utf8') }] } : {}
}

function hasLongInteger(value: unknown): boolean {
  // Not recursive: an answer can be nested as deep as it likes. Only what has members waits: most values have none.
  const waiting: object[] = [[value]]
  for (let next = waiting.pop(); next; next = waiting.pop())
    for (const member of Array.isArray(next) ? next : (Object.values(next) as unknown[])) {
      if (typeof member === 'number') {
        if (Number.isInteger(member) && !Number.isSafeInteger(member)) return true
      } else if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  return false
}

/** Some APIs send JSON without saying so. */
function mightBeJson(mediaType: string, body: Buffer): boolean {
  if (mediaType !== '' && mediaType !== 'application/octet-stream') return isJson(mediaType)
  return body[0] === 0x7b || body[0] === 0x5b
}

export function parseJson(body: Buffer): unknown {
  try {
    // Some servers write a byte order mark, which JSON forbids.
    return JSON.parse(body.toString('utf8', body[0] === 0xef ? 3 : 0))
  } catch {
    return undefined
  }
}

interface Described {
  readonly mediaType: string
  readonly contentType: string
  readonly headers: AnsweredRequest['headers']
}

function blockOf(body: Buffer, { mediaType, contentType, headers }: Described): ContentBlock {
  const charset = /charset=["']?([\w-]+)/i.exec(contentType)?.[1]
  const text =
    mediaType === '' || isText(mediaType) || isJson(mediaType) || isLines(mediaType)
      ? decode(body, charset)
      : undefined
  if (text !== undefined) return { type: 'text', text }
  const name = fileNameOf(textOf(headers['content-disposition']))
  return {
    type: mediaClass(mediaType),
    data: body.toString('base64'),
    media_type: mediaType === '' ? 'application/octet-stream' : mediaType,
    size_bytes: body.length,
    ...(name !== undefined && { name }),
  }
}

function decode(body: Buffer, charset: string | undefined): string | undefined {
  try {
    return new TextDecoder(charset ?? 'utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** The last part of the name: a path in it is none of ours. */
function fileNameOf(disposition: string | undefined): string | undefined {
  const [, encoded, quoted, bare] =
    /filename\*=(?:utf-8'[^']*')([^;]+)|filename="([^"]*)"|filename=([^;\s]+)/i.exec(disposition ?? '') ?? []
  const name = encoded === undefined ? (quoted ?? bare) : decodeName(encoded)
  const last = name?.split(/[/\\]/).at(-1)?.trim()
  return last === undefined || last === '' ? undefined : last.slice(0, 200)
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
