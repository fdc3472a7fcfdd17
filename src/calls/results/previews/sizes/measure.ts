import { countLines } from './count-lines.js'
import type { Measured } from './size-limits.js'

/** How big a text is, as far as that is known without the tokenizer. */
export function measure(text: string): Measured {
  return { chars: text.length, lines: countLines(text), bytes: Buffer.byteLength(text) }
}
