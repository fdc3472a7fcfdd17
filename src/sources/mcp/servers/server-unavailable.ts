/** Thrown where a server cannot be connected: nothing was sent. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable'

  constructor(server: string, why: string, options?: ErrorOptions) {
    super(`The server "${server}" cannot be reached: ${asSentence(why)}`, options)
  }
}

export function asSentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
