import { headerCredential } from '../credentials/header-credential.js'
import type { HookAnswer, HookCall } from './hook.js'
import { sendRequest } from '../http-client/send-request.js'
import { toProtocolInput } from './protocol-input.js'
import { fromProtocolOutput } from './protocol-output.js'
import { resolveVariables } from './resolve-variables.js'

const MAX_BODY_BYTES = 1_000_000

export interface HookEndpoint {
  url: URL
  headers: Readonly<Record<string, string>>
}

/** Sends the call to the endpoint of a hook. A failure is thrown as the rest of a sentence. */
export async function askEndpoint({ url, headers }: HookEndpoint, call: HookCall): Promise<HookAnswer> {
  const { texts, secrets } = resolveVariables(headers, process.env)
  secrets.forEach(call.hide)
  const { status, body } = await sendRequest({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    credential: headerCredential({ origin: url.origin, headers: texts }),
    body: toProtocolInput(call),
    signal: call.signal,
    maxBytes: MAX_BODY_BYTES,
    reach: 'named',
  })
  call.report({ http_status: status })
  if (status >= 300 && status < 400)
    throw new Error(`it answered with ${status}, and redirects are not followed`)
  if (status < 200 || status > 299) throw new Error(`it answered with ${status}`)
  const { answer, ignored } = fromProtocolOutput(body, call.event)
  if (ignored.length > 0) call.report({ ignored })
  return answer
}
