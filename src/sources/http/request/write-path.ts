import type { HttpOperation, CompiledParameter } from '../http-operation.js'
import { invalidRequest } from './invalid-request.js'
import { encodeReserved } from './percent-encode.js'
import { serializeParameter } from './serialize-parameter.js'

type Piece = string | CompiledParameter

interface Segment {
  readonly pieces: readonly Piece[]
  readonly mayBeEmpty: boolean
}

/** The path of an operation, split where values are inserted. */
export interface PathTemplate {
  readonly parts: readonly (string | Segment)[]
  /** What the template has after a question mark. */
  readonly query: readonly Piece[]
}

export function parsePath({ path, method, parameters }: HttpOperation): PathTemplate {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  const { before, after } = splitQuery(toPieces(path, ofPath))
  const segments = toSegments(before)
  const isRead = method === 'GET' || method === 'HEAD'
  const parts: (string | Segment)[] = []
  let literal = ''
  segments.forEach((pieces, at) => {
    // The template's own slash at the start is written with the first segment.
    if (at > 0 || pieces.length > 0) literal += '/'
    if (pieces.every((piece) => typeof piece === 'string')) {
      literal += pieces.join('')
      return
    }
    parts.push(literal, { pieces, mayBeEmpty: isRead && at === segments.length - 1 })
    literal = ''
  })
  return { parts: literal === '' ? parts : [...parts, literal], query: after }
}

function toPieces(path: string, parameters: readonly CompiledParameter[]): Piece[] {
  return path
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!/^\{[^{}]*\}$/.test(piece)) return piece
      const found = parameters.find(({ name }) => name === piece.slice(1, -1))
      if (found) return found
      throw invalidRequest(
        `The path of the operation needs a value for ${piece}, which the API document does not describe: add the parameter to the document.`,
      )
    })
}

/** Splits a template at its question mark, and encodes its text. A fragment is never sent. */
function splitQuery(pieces: readonly Piece[]): { before: Piece[]; after: Piece[] } {
  const before: Piece[] = []
  const after: Piece[] = []
  let isAfter = false
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      ;(isAfter ? after : before).push(piece)
      continue
    }
    const end = piece.indexOf('#')
    let text = end === -1 ? piece : piece.slice(0, end)
    const mark = isAfter ? -1 : text.indexOf('?')
    if (mark !== -1) {
      before.push(encodeReserved(text.slice(0, mark), 'template'))
      text = text.slice(mark + 1)
      isAfter = true
    }
    if (isAfter) after.push(encodeReserved(text, 'querystring'))
    else before.push(encodeReserved(text, 'template'))
    if (end !== -1) break
  }
  return { before, after: after.filter((piece) => piece !== '') }
}

function toSegments(pieces: readonly Piece[]): Piece[][] {
  let last: Piece[] = []
  const segments = [last]
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      last.push(piece)
      continue
    }
    const [first = '', ...others] = piece.split('/')
    if (first !== '') last.push(first)
    for (const text of others) {
      last = text === '' ? [] : [text]
      segments.push(last)
    }
  }
  return segments
}

type Input = Readonly<Record<string, unknown>>

/** The path with its values. Throws where a value would lead to another path. */
export function writePath({ parts }: PathTemplate, input: Input): string {
  let path = ''
  for (const part of parts) path += typeof part === 'string' ? part : writeSegment(part, input)
  return path
}

/** What the template has after its question mark, with its values. */
export function writePathQuery({ query }: PathTemplate, input: Input): string {
  return query.map((piece) => writePiece(piece, input)).join('')
}

function writeSegment({ pieces, mayBeEmpty }: Segment, input: Input): string {
  let text = ''
  for (const piece of pieces) text += writePiece(piece, input)
  if (text === '' && !mayBeEmpty)
    throw invalidRequest(
      `The path parameter ${namesIn(pieces)} is empty, so the request would go to another path: give it a value.`,
    )
  if (LEAVES_SEGMENT.test(text))
    throw invalidRequest(
      `The path parameter ${namesIn(pieces)} must not be "." or ".." and must not have ".." between slashes: the request would go to another path.`,
    )
  return text
}

function writePiece(piece: Piece, input: Input): string {
  if (typeof piece === 'string') return piece
  const { field } = piece
  const value = Object.hasOwn(input, field) ? input[field] : undefined
  if (value === undefined) throw invalidRequest(`The path parameter "${field}" is missing: give it a value.`)
  return serializeParameter(piece, value) ?? ''
}

// Some servers decode a slash before they resolve the path, and some cut a segment at its semicolon.
const LEAVES_SEGMENT = /^(?:\.|%2e)(?:$|;)|(?:^|%2f|%5c)(?:\.|%2e)(?:\.|%2e)(?:$|;|%2f|%5c)/i

function namesIn(pieces: readonly Piece[]): string {
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [`"${piece.field}"`])).join(' with ')
}
