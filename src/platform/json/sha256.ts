import * as crypto from 'node:crypto'

/** The SHA-256 of a text or of bytes, in hex. The one-shot function takes a third of the time; Node has it from 20.12 on. */
export const sha256: (data: string | Uint8Array) => string =
  'hash' in crypto
    ? (data) => crypto.hash('sha256', data, 'hex')
    : (data) => crypto.createHash('sha256').update(data).digest('hex')
