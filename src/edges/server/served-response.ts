import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * A response that names its request, whoever writes its head. Setting the header when the request arrives would be
 * simpler, but makes Node take the slow way for all headers that follow.
 */
export class ServedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  requestId: string | undefined = undefined
  /** The caller, once identified. */
  actor: string | undefined = undefined

  override writeHead(status: number, reason?: string, headers?: Headers): this
  override writeHead(status: number, headers?: Headers): this
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = typeof reason === 'string' ? headers : reason
    const all = this.requestId === undefined ? given : this.#withId(given, this.requestId)
    return typeof reason === 'string' ? super.writeHead(status, reason, all) : super.writeHead(status, all)
  }

  #withId(given: Headers | undefined, id: string): Headers {
    if (given === undefined) return ['x-request-id', id]
    return Array.isArray(given) ? [...given, 'x-request-id', id] : { ...given, 'x-request-id': id }
  }
}
