import { invalidRequest } from './invalid-request.js'

/** The bytes of a Base64 text, in either alphabet and with or without padding and line breaks. */
export function decodeBase64(value: unknown, field: string): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'string') {
    const text = /\s/.test(value) ? value.replaceAll(/\s+/g, '') : value
    if (isBase64(text)) return Buffer.from(text, 'base64')
  }
  throw invalidRequest(`"${field}" is not valid Base64: give the bytes as Base64.`)
}

function isBase64(text: string): boolean {
  if (!/^[\w+/-]*={0,2}$/.test(text)) return false
  return text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1
}
