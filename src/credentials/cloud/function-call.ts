import type { AccountFields } from '../credential-settings.js'
import type { PackageUser } from './load-package.js'

/** One call of a function of a cloud. */
export interface FunctionCall {
  readonly function_id: string
  /** The payload as it is sent. */
  readonly payload: string
  readonly contentType?: string | undefined
  /** Only that the call was accepted is waited for. */
  readonly isEvent?: boolean | undefined
  readonly owner: PackageUser
  readonly signal: AbortSignal
  /** The fields of a service account; the identity of this process by default. */
  readonly account?: AccountFields | undefined
  /** How often the library may send it; its own default where it is absent. */
  readonly maxAttempts?: number | undefined
  /** How long a function that is called over HTTP may take; 15 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** A longer answer is refused. */
  readonly maxBytes?: number | undefined
}

export interface FunctionAnswer {
  readonly status: number
  readonly body: Buffer
  readonly contentType?: string | undefined
  /** By which the cloud names the call in its own logs. */
  readonly requestId?: string | undefined
  /** AWS: the function itself failed, and the body says why. */
  readonly functionError?: string | undefined
  /** Whether a status that is an error comes from the gateway before the function and not from the function. */
  readonly isOfGateway?: boolean | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** Calls a function. Rejects where there is no answer of the function, with the error of the library. */
export type InvokeFunction = (call: FunctionCall) => Promise<FunctionAnswer>
