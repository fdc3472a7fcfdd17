import { ConnectionLost } from '../connection/connection.js'
import type { HttpAnswer } from './http-call.js'

const SHOWN_CHARACTERS = 200
/** With these the server refused the request before it ran. After any other status it may have run. */
const TURNED_AWAY = new Set([400, 401, 403, 404, 405, 406, 413, 415, 429])

/** An HTTP response that is no message of the protocol. */
export class HttpRefusal extends ConnectionLost {
  readonly status: number

  constructor(answer: HttpAnswer) {
    super(say(answer), { mayHaveRun: !TURNED_AWAY.has(answer.status) })
    this.status = answer.status
  }
}

function say({ status, headers, body }: HttpAnswer): string {
  if (status >= 300 && status < 400)
    return `The server answers with a redirect (HTTP ${status}) to ${JSON.stringify(headers.location ?? '')}: where that is right, put it into "url".`
  if (status === 401 || status === 403)
    return `The server refuses access (HTTP ${status}): check its "headers", or log in.`
  const type = String(headers['content-type'] ?? 'none')
  if (status < 300)
    return `The server answers with HTTP ${status} and content of type ${JSON.stringify(type)}, where a message was expected.`
  const said = body.slice(0, SHOWN_CHARACTERS).replaceAll(/\s+/g, ' ').trim()
  return `The server answers with HTTP ${status}${said === '' ? '' : `: ${said}`}.`
}
