/** A tool's definition in the words of its protocol. Only an edge that speaks this protocol serves it as it is. */
export interface NativeDefinition {
  /** `mcp`, `openapi`, … as external mappings name them. */
  readonly protocol: string
  readonly definition: Readonly<Record<string, unknown>>
}

/**
 * What a protocol says of an answer or a failure beside its content: ids, and members that the neutral record has no
 * place for. Stands in the record's `toolcrib`; `source` is the protocol, under the standard's name for it.
 */
export interface NativeFacts {
  readonly source: string
  readonly [member: string]: unknown
}
