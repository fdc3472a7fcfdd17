import * as crypto from 'node:crypto'

/** The SHA-256 of a text, in hex. The one-shot function takes a third of the time; Node has it from 20.12 on. */
export const sha256: (text: string) => string =
  'hash' in crypto
    ? (text) => crypto.hash('sha256', text, 'hex')
    : (text) => crypto.createHash('sha256').update(text).digest('hex')
