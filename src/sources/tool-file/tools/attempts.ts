import type { Retries } from '../../../catalog/retries.js'
import type { CompiledTool } from '../compiled.js'

/** Where the file does not say which. */
export const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504]

/** AML's default. */
const ATTEMPTS = 3
/** HTTP defines them as idempotent. */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Whether a second run of the same call does no harm. */
export function isIdempotent({ type, transport }: CompiledTool, ofTransport?: boolean): boolean {
  if (type === 'retrieval' || type === 'function') return true
  if (ofTransport !== undefined) return ofTransport
  return transport?.type === 'rest-api' && IDEMPOTENT_METHODS.has(transport.endpoint.method)
}

/**
 * How often a call is tried, the first time included. An action could take effect twice: it is repeated only where its
 * file says how often, or where that does no harm.
 */
export function attemptsOf(tool: CompiledTool, ofTransport?: boolean): number {
  const { type, transport } = tool
  const { max_attempts: stated, on_status: statuses } = transport?.retry_policy ?? {}
  if (!transport || type === 'human' || statuses?.length === 0) return 1
  return stated ?? (isIdempotent(tool, ofTransport) ? ATTEMPTS : 1)
}

export function retriesOf(tool: CompiledTool, ofTransport?: boolean): Retries {
  const max = attemptsOf(tool, ofTransport) - 1
  const { backoff_ms: baseMs } = tool.transport?.retry_policy ?? {}
  return baseMs === undefined || baseMs <= 0 ? max : { max, baseMs }
}
