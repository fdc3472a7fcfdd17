import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const key = randomBytes(32)
const sealOf = (body) => createHmac('sha256', key).update(body).digest('base64url')

/** State that travels through the client and is known again when it comes back. */
export function sealState(value) {
  const body = Buffer.from(JSON.stringify({ ...value, nonce: randomBytes(6).toString('hex') })).toString(
    'base64url',
  )
  return `${body}.${sealOf(body)}`
}

/** The value, or nothing where somebody changed it. */
export function openState(state) {
  const [body, seal, ...more] = String(state).split('.')
  if (!body || !seal || more.length > 0) return undefined
  const expected = Buffer.from(sealOf(body))
  const given = Buffer.from(seal)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}
