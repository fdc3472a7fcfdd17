import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonSchema } from '../../contract/json-schema.js'
import type { Role } from '../../platform/config/roles.js'
import type { Identity } from '../server/admission.js'
import type { ApiParts } from './api-parts.js'

export type NoteCalls = (invocationIds: readonly string[]) => Promise<void>

/** A request that was checked against its route. */
export interface ApiRequest {
  readonly api: ApiParts
  readonly identity: Identity
  /** The tenant of the caller: every query is limited to it. */
  readonly tenant: string
  readonly params: Readonly<Record<string, string>>
  /** Of the types that the route declares. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** For what only the connection shows, such as the session cookie. Its body is read already. */
  readonly request: IncomingMessage
  /** Present with an idempotency key: notes which calls the request makes, before any of them begins. */
  readonly noteCalls?: NoteCalls | undefined
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  /** JSON. Absent: an empty answer. */
  readonly body?: unknown
  /** What an idempotency key repeats instead of the body, where the body has a secret that is shown once. */
  readonly keptBody?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Bytes instead of JSON. */
  readonly bytes?: { readonly content: Uint8Array; readonly mediaType: string; readonly name?: string }
  /** Server-sent events instead of JSON: writes the body, after the headers, and ends it. */
  readonly stream?: (response: ServerResponse) => void
}

export interface RouteSuccess {
  readonly status: number
  readonly description: string
  readonly schema?: JsonSchema
  /** Default: application/json. */
  readonly mediaType?: string
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below `/api/v1`, such as `/invocations/{invocation_id}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Who may use it: any of these roles. */
  readonly roles: readonly Role[]
  /** JSON Schemas of the query parameters. */
  readonly query?: Readonly<Record<string, JsonSchema>>
  readonly requiredQuery?: readonly string[]
  readonly body?: JsonSchema
  readonly success: readonly RouteSuccess[]
  handle(request: ApiRequest): Answer | Promise<Answer>
  /** Answers a request that is repeated with its idempotency key, from the records of the calls that it noted. */
  again?(request: ApiRequest, invocationIds: readonly string[]): Promise<Answer | undefined>
}

/** A route that also answers without an identity. */
export interface PublicRoute extends Omit<Route, 'roles' | 'handle' | 'again'> {
  readonly roles: 'public'
  handle(request: Omit<ApiRequest, 'identity' | 'tenant'>): Answer | Promise<Answer>
}

export type AnyRoute = Route | PublicRoute

export function isPublic(route: AnyRoute): route is PublicRoute {
  return route.roles === 'public'
}
