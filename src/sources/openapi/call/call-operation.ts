import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../catalog/native.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ApiClient, ApiResponse } from '../../../http-client/api-client.js'
import { remember } from '../../../platform/json/remember.js'
import { MAX_PAGES } from '../compile/compile-input.js'
import type { CompiledOperation } from '../compiled.js'
import { OPENAPI } from '../native.js'
import type { ConfiguredOperation } from '../operations/apply-settings.js'
import { buildRequest, type BuiltRequest } from '../../http/request/build-request.js'
import type { ChosenCredential } from './choose-credential.js'
import { paginate, type NextPage, type Page } from './paginate.js'
import { answerFacts, type AnsweredRequest } from '../../http/answered-request.js'
import type { HttpPeer } from '../../http/http-peer.js'
import { outputOf, sendCall, type HttpCall } from '../../http/send-call.js'
import { parseJson } from '../../http/to-output.js'

/** What every call of an API uses. */
export interface CallPorts {
  /** The name of the API in the config. */
  readonly api: string
  readonly peer: HttpPeer
  readonly serverUrl: URL
  readonly client: ApiClient
  /** Headers of every request, which no call can change. */
  readonly headers: Readonly<Record<string, string>>
  readonly userAgent: string
  readonly maxBytes: number
  readonly redirectHosts: readonly string[] | undefined
  /** The member of the input that carries the idempotency key. */
  readonly keyField: string | undefined
  readonly isReadOnly: boolean
  /** The credential to send now. Throws where one is missing. */
  credential(): ChosenCredential
  now(): number
}

/** Pages are joined up to this size. */
const MAX_JOINED_BYTES = 8 * 1024 * 1024

export interface OperationCall {
  readonly input: Readonly<Record<string, unknown>>
  readonly context: ExecuteContext
  readonly ports: CallPorts
}

/** The executor of every operation. */
export async function callOperation(
  { operation, complete }: ConfiguredOperation,
  { input, context, ports }: OperationCall,
): Promise<ToolOutput> {
  const { maxPages, input: whole } = splitPages(operation, complete(input))
  const { keyField, serverUrl: baseUrl } = ports
  if (keyField !== undefined) whole[keyField] ??= context.idempotencyKey
  const request = buildRequest(operation, { input: whole, baseUrl })
  const sending = { operation, context, ports, chosen: ports.credential() }
  const call = httpCall(sending)
  const response = await sendCall(request, call)
  const { pagination } = operation
  if (!Buffer.isBuffer(response.body) || maxPages === 1 || !pagination) return outputOf(response, call)
  return joinPages(response, { ...sending, call, input: whole, maxPages, pagination })
}

interface SplitInput {
  readonly maxPages: number
  readonly input: Record<string, unknown>
}

/** The number of pages is not sent, unless the API itself has a parameter of that name. */
function splitPages(
  { pagination, parameters }: CompiledOperation,
  whole: Record<string, unknown>,
): SplitInput {
  if (!pagination || parameters.some(({ field }) => field === MAX_PAGES)) return { maxPages: 1, input: whole }
  const { [MAX_PAGES]: asked, ...input } = whole
  return { maxPages: typeof asked === 'number' ? asked : 1, input }
}

interface Sending {
  readonly operation: CompiledOperation
  readonly context: ExecuteContext
  readonly ports: CallPorts
  readonly chosen: ChosenCredential
}

/** How each request of a call is sent. */
function httpCall(sending: Sending): HttpCall {
  const { operation, context, ports, chosen } = sending
  const { client, serverUrl, maxBytes, redirectHosts, isReadOnly, now } = ports
  return {
    peer: ports.peer,
    client,
    serverUrl,
    credential: chosen.credential,
    context,
    headers: { accept: acceptOf(operation), 'user-agent': ports.userAgent },
    fixedHeaders: ports.headers,
    maxBytes,
    redirectHosts,
    isReadOnly,
    factsOf: (answer) => factsOf(sending, answer),
    now,
  }
}

/** What to do where an address is refused. */
export const NAME_SERVER = 'If the address is meant, write it into the config as "server" of the API.'

export const ADVICE: Omit<HttpPeer['advice'], 'credential'> = {
  address: NAME_SERVER,
  size: '"maxResponseBytes" of the API sets the limit.',
  redirect: '"redirectHosts" of the API names other hosts that may be read from',
}

/** What the document says the operation can return, JSON first. */
const acceptOf = remember(({ response: { mediaTypes } }: CompiledOperation): string =>
  mediaTypes.length === 0 ? 'application/json, */*;q=0.8' : `${mediaTypes.slice(0, 8).join(', ')}, */*;q=0.1`,
)

/** What the record keeps of a request beside its content, under the standard's names. */
function factsOf(
  { operation: { operationId, method, path }, ports, chosen: { schemes } }: Sending,
  answer?: AnsweredRequest,
): NativeFacts {
  return {
    source: OPENAPI,
    server_id: ports.api,
    ...(operationId !== undefined && { operation_id: operationId }),
    method,
    path,
    server_url: ports.serverUrl.href,
    ...(schemes.length > 0 && { security_scheme_refs: schemes }),
    ...(answer && answerFacts(answer)),
  }
}

interface Joining extends Sending {
  readonly call: HttpCall
  readonly input: Record<string, unknown>
  readonly maxPages: number
  readonly pagination: NonNullable<CompiledOperation['pagination']>
}

async function joinPages(first: ApiResponse, joining: Joining): Promise<ToolOutput> {
  const { context, ports, input, maxPages, pagination } = joining
  const start = toPage(first)
  if (start.value === undefined) return outputOf(first, joining.call)
  const { value, pages, hasMore, problem, last } = await paginate(start, {
    pagination,
    input,
    maxPages,
    maxBytes: MAX_JOINED_BYTES,
    origin: ports.serverUrl.origin,
    async load(next) {
      return toPage(await sendCall(requestFor(next, joining), joining.call))
    },
    onPage: (count) => context.progress({ message: `Page ${count}` }),
  })
  // A cancellation ends the call, however many pages there are.
  if (context.stopSignal.aborted) throw context.stopSignal.reason
  return toolOutput({
    structured: value,
    native: { ...factsOf(joining, last), pages },
    ...(hasMore && { content: [textBlock(JSON.stringify(value)), textBlock(moreAfter(pages))] }),
    ...(problem !== undefined && { partialFailure: problem }),
  })
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text })

const moreAfter = (pages: number): string =>
  pages === 1
    ? 'This is one page; there may be more.'
    : `These are ${pages} pages, joined; there may be more.`

function toPage({ status, headers, body, url }: ApiResponse): Page {
  if (Buffer.isBuffer(body)) return { status, headers, value: parseJson(body), bytes: body.length, url }
  body.destroy()
  return { status, headers, value: undefined, bytes: 0, url }
}

function requestFor(next: NextPage, { operation, input, ports }: Joining): BuiltRequest {
  const { serverUrl: baseUrl } = ports
  if ('input' in next) return buildRequest(operation, { input: next.input, baseUrl })
  const { pathname, search } = next.url
  return { ...buildRequest(operation, { input, baseUrl }), url: pathname + search }
}
