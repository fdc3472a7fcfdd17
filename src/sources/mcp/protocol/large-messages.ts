/** A longer message takes a while to process: its consumer yields first. */
const LARGE_CHARS = 128 * 1024

const large = new WeakSet<object>()

/** Marks a message that was long when it was read; otherwise its size could only be found by walking through it. */
export function noteLarge(message: unknown, chars: number): void {
  if (chars > LARGE_CHARS && typeof message === 'object' && message !== null) large.add(message)
}

export function isLarge(message: object): boolean {
  return large.has(message)
}
