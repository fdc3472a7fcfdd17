import { findLine } from '../search/find-line.js'
import { MAX_POINTER_BYTES } from './locate-value.js'
import type { ReadLimits } from '../page.js'
import type { PayloadSource } from '../payload-source.js'
import { readAhead, type Range } from '../read-chunks.js'

const TYPES = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/
const LINE_FEED = 0x0a
const EXAMPLE = 'begin the pointer with the number of a record, such as /0 for the first'

/** Media types that hold one JSON value per line. */
export function isJsonLines(mediaType: string | undefined): boolean {
  return TYPES.test((mediaType ?? '').split(';')[0]!.trim().toLowerCase())
}

/** The line of a record, counted from 0, and the remaining tokens for inside it. */
export async function findRecord(
  source: PayloadSource,
  [first, ...tokens]: readonly string[],
  limits: ReadLimits,
): Promise<{ range: Range; tokens: string[]; name: string } | { problem: string }> {
  const { lines } = source
  const held = lines
    ? `The payload holds ${lines.lineCount} records in JSON Lines`
    : 'The payload is JSON Lines'
  if (first === undefined) return { problem: `${held}: ${EXAMPLE}.` }
  if (!/^(?:0|[1-9]\d{0,14})$/.test(first))
    return { problem: `${held}, and the pointer's first token is no record number: ${EXAMPLE}.` }
  const number = Number(first)
  if (source.sizeBytes === 0) return { problem: 'The payload is empty: it holds no records.' }
  const place = await findLine(source, number + 1, limits)
  if ('problem' in place)
    return lines && number >= lines.lineCount
      ? { problem: `${held}, numbered 0 to ${lines.lineCount - 1}: there is no record ${first}.` }
      : place
  const end = await lineEnd(source, place.offset, limits)
  return { range: { start: place.offset, end }, tokens, name: `Record ${first}` }
}

async function lineEnd(source: PayloadSource, start: number, { signal }: ReadLimits): Promise<number> {
  // One byte too many is enough to know that the record is too long.
  const end = Math.min(source.sizeBytes, start + MAX_POINTER_BYTES + 1)
  let offset = start
  for await (const chunk of readAhead(source, { start, end }, signal)) {
    const feed = chunk.indexOf(LINE_FEED)
    if (feed !== -1) return offset + feed
    offset += chunk.length
  }
  return end
}
