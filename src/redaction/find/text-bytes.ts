import { Buffer } from 'node:buffer'
import { createScanner } from './scan-bytes.js'

/**
 * One byte for each character of the part that is being read, and what was found in them. Reading bytes costs a
 * fraction of reading a string; every candidate is read again in the text, since characters beyond Latin look like
 * others here.
 */
export const { bytes, signs, runs, words, scan, signCount, runCount, wordCount, anchors } = createScanner()

const writable = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 32)

/** Up to this length a loop is faster than a call of the buffer. */
const SHORT = 24

/** Returns the number of bytes. */
export function copyToBytes(part: string): number {
  const { length } = part
  if (length <= SHORT) {
    for (let at = 0; at < length; at++) bytes[at] = part.charCodeAt(at)
    return length
  }
  return writable.write(part, 0, 'latin1')
}
