import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { canonicalJson } from '../json/canonical-json.js'
import type { SealKeys } from './derive-keys.js'

/** The part and the owner that a sealed value belongs to. With another context it cannot be opened. */
export type SealContext = Readonly<Record<string, string>> & { readonly part: string }

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a JSON value so that only a holder of the key can read it, and only with the same context. */
export function seal({ seal: key }: Pick<SealKeys, 'seal'>, context: SealContext, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(canonicalJson(context)))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
}

/** Undefined if it was sealed with another key or with another context, or was changed. */
export function unseal(
  { seal: key }: Pick<SealKeys, 'seal'>,
  context: SealContext,
  sealed: unknown,
): { value: unknown } | undefined {
  if (typeof sealed !== 'string') return undefined
  const bytes = Buffer.from(sealed, 'base64')
  const start = NONCE_BYTES + TAG_BYTES
  if (bytes.length < start) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(canonicalJson(context)))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start))
    const text = Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()])
    return { value: JSON.parse(text.toString('utf8')) as unknown }
  } catch {
    return undefined
  }
}
