import { Buffer } from 'node:buffer'
import { createScanner } from './scan-bytes.js'

/**
 * One byte for each character of the part that is being read, and what was found in them. Reading bytes costs a
 * fraction of reading a string; every candidate is read again in the text, since characters beyond Latin look like
 * others here.
 */
export const { bytes, signs, runs, words, scan, runCount, wordCount, anchors } = createScanner()

const writable = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 32)

/** Returns the number of bytes. */
export function copyToBytes(part: string): number {
  return writable.write(part, 0, 'latin1')
}
