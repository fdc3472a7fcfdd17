import { collectErrors } from './collect-errors.js'
import { collectLines } from './collect-lines.js'
import { collectTail } from './collect-tail.js'
import { looksBinary } from './looks-binary.js'
import type { Sample } from './sample.js'
import { withoutHalfAtEnd, withoutHalfAtStart } from './without-half.js'

const HEAD_CHARS = 1_048_576
const TAIL_CHARS = 65_536

export interface Sampler {
  push(text: string): void
  end(): Sample
}

/** Collects a sample from a stream. The chunks' borders leave no trace in it. */
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
      // Half of a pair waits for the other half, else its bytes would be counted wrongly.
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
