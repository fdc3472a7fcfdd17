import { isoTime } from '../../contract/iso-time.js'
import type { PayloadRef } from '../../contract/objects/tool-result.js'
import type { RedactionState } from '../../contract/unions.js'

/** What bytes are stored for. It decides how long they are retained. */
export const payloadClasses = ['output', 'block', 'native', 'protected', 'artifact'] as const
export type PayloadClass = (typeof payloadClasses)[number]

/** The record of stored bytes. It remains when the bytes are removed. */
export interface PayloadRecord {
  /** Its ref, and its document id. */
  uri: string
  invocation_id?: string | undefined
  class: PayloadClass
  /** Algorithm, colon, value. For an encrypted payload: of the encrypted bytes. */
  digest: string
  size_bytes: number
  media_type: string
  line_count?: number | undefined
  /** The blob with the index of its lines. */
  index_digest?: string | undefined
  redaction_state: RedactionState
  /** The only actors that may read it. Absent: every actor of the tenant. */
  readers?: readonly string[] | undefined
  is_sealed?: boolean | undefined
  name?: string | undefined
  created_at: string
  expires_at?: string | undefined
  /** When its bytes were removed. */
  expired_at?: string | undefined
}

export const PAYLOAD_KIND = 'payload'
/** Names bytes that are no longer wanted: the next sweep removes them if no record refers to them. */
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

/** The ref in the form that results and other records use. */
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

/** Whether its bytes may no longer be read, even if they are not removed yet. */
export function isExpired({ expires_at, expired_at }: PayloadRecord, now: number): boolean {
  return expired_at !== undefined || (expires_at !== undefined && expires_at <= isoTime(now))
}
