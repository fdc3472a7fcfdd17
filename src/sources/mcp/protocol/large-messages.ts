/** Reading more than this takes a while: whoever takes it gives others a turn first. */
const LARGE_CHARS = 128 * 1024

const large = new WeakSet<object>()

/** Notes that a message was long when it was read; nobody else can tell without walking through it. */
export function noteLarge(message: unknown, chars: number): void {
  if (chars > LARGE_CHARS && typeof message === 'object' && message !== null) large.add(message)
}

export function isLarge(message: object): boolean {
  return large.has(message)
}
