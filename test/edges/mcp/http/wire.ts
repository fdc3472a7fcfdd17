import { Agent, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** Plain HTTP requests, without a client library. */
export interface WireRequest {
  readonly method?: string
  readonly headers?: Record<string, string | undefined>
  readonly body?: string | Buffer | undefined
  readonly signal?: AbortSignal
}

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed if it is JSON. */
  readonly body: unknown
}

const agent = new Agent({ keepAlive: false })

export function open(
  url: string,
  { method = 'POST', headers = {}, body, signal }: WireRequest,
): Promise<IncomingMessage> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers: kept as Record<string, string>, agent, signal }, resolve)
    request.once('error', reject)
    request.end(body)
  })
}

export async function wire(url: string, options: WireRequest): Promise<WireAnswer> {
  const response = await open(url, options)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const isJson = response.headers['content-type']?.startsWith('application/json')
  return { status: response.statusCode!, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export function post(
  url: string,
  message: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<WireAnswer> {
  return wire(url, { headers: { ...usual, ...headers }, body: JSON.stringify(message) })
}

/** A POST whose response is read as it arrives. */
export function openPost(
  url: string,
  message: unknown,
  { headers = {}, signal }: { headers?: Record<string, string | undefined>; signal?: AbortSignal } = {},
): Promise<IncomingMessage> {
  return open(url, { headers: { ...usual, ...headers }, body: JSON.stringify(message), signal })
}

export function initialize(
  url: string,
  protocolVersion: string,
  { headers = {}, capabilities = {} }: { headers?: Record<string, string>; capabilities?: object } = {},
): Promise<WireAnswer> {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'wire', version: '1' } }
  return post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers)
}

/** Initializes, and returns the headers that further requests of the session need. */
export async function openSession(
  url: string,
  protocolVersion = '2025-11-25',
  options: Parameters<typeof initialize>[2] = {},
): Promise<Record<string, string>> {
  const { headers } = await initialize(url, protocolVersion, options)
  return {
    ...options.headers,
    'mcp-session-id': headers['mcp-session-id'] as string,
    'mcp-protocol-version': protocolVersion,
  }
}

export function envelope(capabilities: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}

export function modernHeaders(method: string, name?: string): Record<string, string | undefined> {
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name }
}

export function modernMessage(method: string, params: Record<string, unknown>): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope() } }
}

export function modern(
  url: string,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string | undefined> = {},
): Promise<WireAnswer> {
  const name = (params['name'] ?? params['uri']) as string | undefined
  return post(url, modernMessage(method, params), { ...modernHeaders(method, name), ...headers })
}

export interface WireEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

/** The events of a stream, as they arrive. */
export async function* events(response: IncomingMessage): AsyncGenerator<WireEvent> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fields = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      if (fields['data'] !== undefined) yield fields as unknown as WireEvent
    }
  }
}
