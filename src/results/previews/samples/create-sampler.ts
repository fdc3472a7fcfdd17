import { collectErrors } from './collect-errors.js'
import { collectLines } from './collect-lines.js'
import type { Sample } from './sample.js'
import { withoutHalfAtEnd, withoutHalfAtStart } from './without-half.js'

const HEAD_CHARS = 1_048_576
const TAIL_CHARS = 65_536

export interface Sampler {
  push(text: string): void
  end(): Sample
}

/** Collects a sample from a stream. The result does not depend on chunk boundaries. */
export function createSampler({
  headChars = HEAD_CHARS,
  tailChars = TAIL_CHARS,
}: { headChars?: number; tailChars?: number } = {}): Sampler {
  const errors = collectErrors()
  const lines = collectLines(errors.see)
  const tail = collectTail(tailChars)
  let [head, pending] = ['', '']
  let [chars, bytes] = [0, 0]

  const take = (text: string): void => {
    chars += text.length
    bytes += Buffer.byteLength(text)
    if (head.length < headChars) head += text.slice(0, headChars - head.length)
    tail.push(text)
    lines.push(text)
  }

  return {
    push(chunk) {
      const text = pending + chunk
      const last = text.charCodeAt(text.length - 1)
      // Half of a surrogate pair waits for the other half, else its bytes would be counted wrongly.
      const isHalf = last >= 0xd800 && last <= 0xdbff
      pending = isHalf ? text.slice(-1) : ''
      if (text.length > pending.length) take(isHalf ? text.slice(0, -1) : text)
    },
    end() {
      if (pending !== '') take(pending)
      pending = ''
      const isWhole = chars <= headChars
      const kept = isWhole ? head : withoutHalfAtEnd(head)
      return {
        head: kept,
        tail: isWhole || tailChars === 0 ? '' : withoutHalfAtStart(tail.end()),
        isWhole,
        chars,
        bytes,
        ...lines.end(),
        errorLines: errors.end(),
        hasBinary: looksBinary(kept),
      }
    },
  }
}

export function sampleOf(text: string): Sample {
  const sampler = createSampler()
  sampler.push(text)
  return sampler.end()
}

const ROOM = 4

const BYTES_PER_CHAR = 2

/**
 * The last characters of a text that arrives in chunks. Copied into a buffer: strings that live for a while reach the
 * old generation, and for a long stream they would fill the memory.
 */
function collectTail(maxChars: number): { push(text: string): void; end(): string } {
  let kept = Buffer.alloc(0)
  let end = 0

  /** The buffer grows with the text. */
  function makeRoom(bytes: number): void {
    const keptBytes = Math.min(end, maxChars * BYTES_PER_CHAR)
    const needed = keptBytes + bytes
    const target = needed <= kept.length ? kept : Buffer.alloc(needed * ROOM)
    kept.copy(target, 0, end - keptBytes, end)
    kept = target
    end = keptBytes
  }

  return {
    push(text) {
      const last = maxChars === 0 ? '' : text.slice(-maxChars)
      const bytes = last.length * BYTES_PER_CHAR
      if (end + bytes > kept.length) makeRoom(bytes)
      end += kept.write(last, end, 'utf16le')
    },
    end: () => kept.toString('utf16le', Math.max(0, end - maxChars * BYTES_PER_CHAR), end),
  }
}

const LOOKED_AT_CHARS = 8192

const ODD_SHARE = 0.05

/** Whether a text looks like binary data: control characters, or bytes that could not be decoded. */
function looksBinary(head: string): boolean {
  const length = Math.min(head.length, LOOKED_AT_CHARS)
  let odd = 0
  for (let at = 0; at < length; at++) if (isOdd(head.charCodeAt(at))) odd++
  return odd > 0 && odd >= length * ODD_SHARE
}

/**
 * Characters that terminals and text files do not contain; line ends, tabs, bells, backspaces and escapes are allowed.
 */
function isOdd(code: number): boolean {
  if (code === 0xfffd) return true
  if (code >= 0x20) return code >= 0x7f && code < 0xa0
  return !(code >= 0x07 && code <= 0x0d) && code !== 0x1b
}
