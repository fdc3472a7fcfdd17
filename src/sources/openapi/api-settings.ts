/** The settings of one API, in the config and in the library. */
export interface ApiSettings {
  /** A path, or an http or https address. */
  readonly document: string
  readonly server?: string | undefined
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  readonly disabled?: boolean | undefined
  readonly trusted?: boolean | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** By operationId, name, or method and path. */
  readonly operations?: Readonly<Record<string, OperationSettings>> | undefined
  readonly defaults?: Readonly<Record<string, unknown>> | undefined
  readonly fixed?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs?: number | undefined
  readonly maxResponseBytes?: number | undefined
  readonly redirectHosts?: readonly string[] | undefined
  readonly pollMs?: number | undefined
  /** By the name of the security scheme. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined
}

export interface OperationSettings {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly readOnly?: boolean | undefined
  readonly destructive?: boolean | undefined
  readonly idempotent?: boolean | undefined
  readonly defaults?: Readonly<Record<string, unknown>> | undefined
  readonly fixed?: Readonly<Record<string, unknown>> | undefined
  readonly timeoutMs?: number | undefined
}

export const DEFAULT_TIMEOUT_MS = 30_000
export const DEFAULT_MAX_RESPONSE_BYTES = 100 * 1024 * 1024
export const DEFAULT_POLL_MS = 3_600_000
