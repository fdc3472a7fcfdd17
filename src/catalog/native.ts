/** A tool's definition in its own protocol. Only an edge of this protocol serves it unchanged. */
export interface NativeDefinition {
  /** `mcp`, `openapi`, … as external mappings name them. */
  readonly protocol: string
  readonly definition: Readonly<Record<string, unknown>>
}

/**
 * What a protocol reports about an answer or a failure beside its content: ids, and members that the neutral record
 * cannot hold. It goes into the record's `toolcrib`; `source` is the protocol, under the standard's name for it.
 */
export interface NativeFacts {
  readonly source: string
  readonly [member: string]: unknown
}
