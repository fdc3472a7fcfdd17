import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Role } from '../../platform/config/roles.js'
import type { Identity } from './admission.js'
import type { LoginChoices } from './server-options.js'

/** A request to the path of a handler. */
export interface PublicRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Without the query. */
  readonly path: string
}

/** A request whose sender is authenticated. */
export interface IncomingRequest extends PublicRequest {
  readonly identity: Identity
  readonly now: number
  /** Counts further messages of the same request. False where the request was refused for exceeding the rate limit. */
  charge(count: number): boolean
}

/** Why a request is not answered, in HTTP's terms. */
export interface HttpRefusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How a person can log in, where credentials are missing. */
  readonly login?: LoginChoices | undefined
}

/** What pages of allowed origins may send to a handler, and which headers they may read. */
export interface CorsRules {
  readonly methods: string
  readonly exposedHeaders: string
  allowedHeaders(headers: IncomingHttpHeaders): string
}

interface HandlerParts {
  /** Writes a refusal in the format of its protocol. */
  refuse(response: ServerResponse, refusal: HttpRefusal): void
  readonly cors?: CorsRules | undefined
  /** The path without its values, for logs and metrics: `/mcp/{surface}`. Default: where the handler is mounted. */
  template?(path: string): string
  /** Frees unused resources. Called every few seconds. */
  sweep?(now: number): void
  /** The longest time between two sweeps, where a few seconds are too long. */
  readonly sweepMs?: number | undefined
  /** Ends open requests and sessions when the server closes. */
  close?(): Promise<unknown>
}

/** Answers requests below the paths where it is mounted. */
export interface RequestHandler extends HandlerParts {
  /** What the path means; nothing for an unknown path. */
  route(path: string, method: string): RouteFacts | undefined
  handle(incoming: IncomingRequest): void
  /** Answers requests to public routes. */
  handlePublic?(incoming: PublicRequest): void
  /** The caller needs one of these roles. Default: any role. */
  readonly roles?: readonly Role[] | undefined
  /** Whether browsers with a session are admitted, and nobody without credentials. Default: no. */
  readonly isForPeople?: boolean | undefined
}

export interface RouteFacts {
  readonly surface?: string | undefined
  /** Whether it is answered without authentication. */
  readonly isPublic?: boolean | undefined
}

/** Answers requests without authentication. */
export interface PublicHandler extends HandlerParts {
  handlePublic(incoming: PublicRequest): void
}
