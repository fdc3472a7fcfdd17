import { isoTime } from '../../contract/iso-time.js'
import type { PayloadRef } from '../../contract/objects/tool-result.js'
import type { RedactionState } from '../../contract/unions.js'

/** What bytes are kept for. How long they are kept depends on it. */
export const payloadClasses = ['output', 'block', 'native', 'protected', 'artifact'] as const
export type PayloadClass = (typeof payloadClasses)[number]

/** What is known of bytes that are kept by reference. It stays when the bytes are gone. */
export interface PayloadRecord {
  /** Its ref, and its id among the documents. */
  uri: string
  invocation_id?: string | undefined
  class: PayloadClass
  /** Algorithm, colon, value. Of a sealed payload: of the bytes as they are kept. */
  digest: string
  size_bytes: number
  media_type: string
  line_count?: number | undefined
  /** The blob that says where its lines are. */
  index_digest?: string | undefined
  redaction_state: RedactionState
  /** The only actors that may open it. Absent: everybody of the tenant. */
  readers?: readonly string[] | undefined
  is_sealed?: boolean | undefined
  name?: string | undefined
  created_at: string
  expires_at?: string | undefined
  /** When its bytes were removed. */
  expired_at?: string | undefined
}

export const PAYLOAD_KIND = 'payload'
/** Names bytes that somebody did not want kept: the next sweep takes them if no record refers to them. */
export const UNWANTED_KIND = 'unwanted_payload'

export function outputRef(invocationId: string): string {
  return `toolcrib://invocations/${invocationId}/output`
}

export function blockRef(invocationId: string, index: number): string {
  return `toolcrib://invocations/${invocationId}/blocks/${index}`
}

export function nativeRef(invocationId: string): string {
  return `toolcrib://invocations/${invocationId}/native`
}

export function protectedRef(invocationId: string): string {
  return `toolcrib://invocations/${invocationId}/protected`
}

/** As results and other records name it. */
export function toPayloadRef(record: PayloadRecord, relation: string): PayloadRef {
  const { uri, media_type, size_bytes, digest, readers, redaction_state, expires_at, name, line_count } =
    record
  return {
    ref_id: uri,
    uri,
    ...(name !== undefined && { name }),
    media_type,
    size_bytes,
    digest,
    access: readers ? 'named_actors' : 'tenant',
    relation,
    redaction_state,
    ...(expires_at !== undefined && { expires_at }),
    ...(line_count !== undefined && { toolcrib: { line_count } }),
  }
}

/** Its bytes may be read no more, whether or not they were removed yet. */
export function isExpired({ expires_at, expired_at }: PayloadRecord, now: number): boolean {
  return expired_at !== undefined || (expires_at !== undefined && expires_at <= isoTime(now))
}
