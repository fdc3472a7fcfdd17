import type { InvocationStatus, ResultStatus } from '../../contract/unions.js'
import type { DeletedCall } from '../store.js'

/** What many calls of a group have alike: written once in the group, and referred to by its index. */
export type DeletedKind = [
  toolId: string,
  surfaceId: string,
  status: InvocationStatus,
  resultStatus: ResultStatus | null,
]

export interface PackedGroup {
  readonly kinds: readonly DeletedKind[]
  /** The base of the times of its calls. */
  readonly baseTime: number
}

const DIGEST_BYTES = 32

/** The digest, then numbers of one byte each where they are small: kind, events, time since the base, duration. */
export function packDeletedCall(
  { eventCount, contentSha256, createdAt, endedAt }: DeletedCall,
  { kind, baseTime }: { kind: number; baseTime: number },
): Uint8Array {
  const bytes: number[] = []
  pushNumber(bytes, kind)
  pushNumber(bytes, eventCount)
  pushNumber(bytes, toUnsigned(createdAt - baseTime))
  if (endedAt !== undefined) pushNumber(bytes, toUnsigned(endedAt - createdAt))
  const packed = Buffer.allocUnsafe(DIGEST_BYTES + bytes.length)
  packed.write(contentSha256, 'hex')
  packed.set(bytes, DIGEST_BYTES)
  return packed
}

export function unpackDeletedCall(
  id: string | Uint8Array,
  body: Uint8Array,
  { kinds, baseTime }: PackedGroup,
): DeletedCall {
  const digest = Buffer.from(body.buffer, body.byteOffset, DIGEST_BYTES)
  const [kind, eventCount, since, took] = numbersIn(body, DIGEST_BYTES)
  const [toolId, surfaceId, status, resultStatus] = kinds[kind!]!
  const createdAt = baseTime + toSigned(since!)
  return {
    invocationId: unpackCallId(id),
    toolId,
    surfaceId,
    status,
    ...(resultStatus !== null && { resultStatus }),
    createdAt,
    ...(took !== undefined && { endedAt: createdAt + toSigned(took) }),
    eventCount: eventCount!,
    contentSha256: digest.toString('hex'),
  }
}

/** Seven bits in each byte, the lowest first; the highest bit says that more follow. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

function numbersIn(bytes: Uint8Array, from: number): number[] {
  const numbers: number[] = []
  let value = 0
  let factor = 1
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    value += (byte % 128) * factor
    factor *= 128
    if (byte >= 128) continue
    numbers.push(value)
    value = 0
    factor = 1
  }
  return numbers
}

// A clock may step back.
function toUnsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function toSigned(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BITS_OF = new Map([...ALPHABET].map((symbol, bits) => [symbol.charCodeAt(0), bits]))
const PREFIX = 'inv_'
const SYMBOLS = 24
const ID_BYTES = 15

/** The bytes of an id as we make it; another id is written as it is. */
export function packCallId(id: string): string | Uint8Array {
  if (id.length !== PREFIX.length + SYMBOLS || !id.startsWith(PREFIX)) return id
  const bytes = new Uint8Array(ID_BYTES)
  let bits = 0
  let count = 0
  let at = 0
  for (let index = PREFIX.length; index < id.length; index++) {
    const more = BITS_OF.get(id.charCodeAt(index))
    if (more === undefined) return id
    bits = ((bits << 5) | more) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes[at++] = (bits >> count) & 0xff
  }
  return bytes
}

function unpackCallId(packed: string | Uint8Array): string {
  if (typeof packed === 'string') return packed
  let id = PREFIX
  let bits = 0
  let count = 0
  for (const byte of packed) {
    bits = ((bits << 8) | byte) & 0xfff
    for (count += 8; count >= 5; count -= 5) id += ALPHABET[(bits >> (count - 5)) & 31]
  }
  return id
}
