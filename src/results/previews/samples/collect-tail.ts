const ROOM = 4
const BYTES_PER_CHAR = 2

/**
 * The last characters of a text that comes in pieces. Copied into a buffer: strings that are held for a while and then let
 * go outlive the short-lived ones, and of a long stream they would fill the memory.
 */
export function collectTail(maxChars: number): { push(text: string): void; end(): string } {
  let kept = Buffer.alloc(0)
  let end = 0

  /** As long as the text is short, so is the buffer. */
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
