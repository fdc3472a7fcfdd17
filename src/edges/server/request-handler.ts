import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Identity } from './admission.js'

/** A request that came to the path of a handler. */
export interface PublicRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Without the query. */
  readonly path: string
}

/** A request whose sender is known and may come in. */
export interface IncomingRequest extends PublicRequest {
  readonly identity: Identity
  readonly now: number
  /** Counts further messages of the same request; false where the sender was refused for it. */
  charge(count: number): boolean
}

/** Why a request is not answered, in HTTP's terms. */
export interface HttpRefusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What pages of allowed origins may send to a handler, and read of its answers. */
export interface CorsRules {
  readonly methods: string
  readonly exposedHeaders: string
  allowedHeaders(headers: IncomingHttpHeaders): string
}

interface HandlerParts {
  /** Writes a refusal the way its protocol does. */
  refuse(response: ServerResponse, refusal: HttpRefusal): void
  readonly cors?: CorsRules | undefined
  /** Frees what is no longer used. Called every few seconds. */
  sweep?(now: number): void
  /** How often it has to be swept, where a few seconds are too long. */
  readonly sweepMs?: number | undefined
  /** Ends what is open, when the server closes. */
  close?(): Promise<unknown>
}

/** Answers requests below the paths where it is mounted. */
export interface RequestHandler extends HandlerParts {
  /** What the path means here; nothing where there is no such thing. */
  route(path: string): { readonly surface?: string | undefined } | undefined
  handle(incoming: IncomingRequest): void
}

/** Answers without asking who sent the request. */
export interface PublicHandler extends HandlerParts {
  handlePublic(incoming: PublicRequest): void
}
