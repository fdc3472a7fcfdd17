import type { JsonObject } from './protocol/json-rpc.js'
import { McpError } from './protocol/mcp-error.js'
import { originalOf, type McpClient } from './protocol/mcp-client.js'
import type { connect as Connect } from './connection/connect.js'
import type { ConnectOptions, McpConnection, Reply, RequestOptions } from './connection/connection.js'

/** Removes credentials from what a server sends: some servers repeat what they received. */
export interface ServerMask {
  /** Masks an error message of the server. */
  text(text: string): string
  /** Masks any other data. The same reference where nothing was found. */
  value<Value>(value: Value): Value
}

export const NO_MASK: ServerMask = { text: (text) => text, value: (value) => value }

/** Wraps `connect`: credentials are masked in everything that a server sends, and a renewed token is stored before the end. */
export function guardCredentials(connect: typeof Connect, mask: ServerMask): typeof Connect {
  return async (options) => {
    const { credentials, onNotification, answer } = options
    const masked: ConnectOptions = credentials
      ? {
          ...options,
          onNotification: (method, params) => onNotification(method, mask.value(params)),
          answer: answer && ((question, signal) => answer(mask.value(question), signal)),
        }
      : options
    try {
      return guarded(await connect(masked), options, mask)
    } catch (error) {
      await credentials?.settled?.()
      throw maskError(error, mask)
    }
  }
}

function guarded(
  connection: McpConnection,
  { credentials }: ConnectOptions,
  mask: ServerMask,
): McpConnection {
  function listening(options: RequestOptions): RequestOptions {
    const { client, onProgress, onNotification } = options
    return {
      ...options,
      client: client && new MaskedLink(client, mask),
      onProgress: onProgress && ((params) => onProgress(mask.value(params))),
      onNotification: onNotification && ((method, params) => onNotification(method, mask.value(params))),
    }
  }

  const onError = (error: unknown): never => {
    throw maskError(error, mask)
  }

  function request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions = {},
  ): Promise<Reply> {
    const reply = connection.request(method, params, credentials ? listening(options) : options)
    // Tool results go through the crib's redactor like all others.
    const isCleaned = credentials !== undefined && method !== 'tools/call'
    return isCleaned ? reply.then(clean).catch(onError) : reply.catch(onError)
  }

  function clean(reply: Reply): Reply {
    const result = mask.value(reply.result)
    return result === reply.result ? reply : { ...reply, result }
  }

  return {
    ...connection,
    facts: credentials ? mask.value(connection.facts) : connection.facts,
    request,
    onClosed: (listener) => connection.onClosed((why) => listener(mask.text(why))),
    async close() {
      await connection.close()
      await credentials?.settled?.()
    },
  }
}

// A class: one is made in every request, and closures for each member would cost more than the request needs. They are
// not kept in a WeakMap: the garbage collector would keep every call that was in it until a full collection.
class MaskedLink implements McpClient {
  readonly original: McpClient
  private readonly client: McpClient
  private readonly mask: ServerMask

  constructor(client: McpClient, mask: ServerMask) {
    this.original = originalOf(client)
    this.client = client
    this.mask = mask
  }

  get capabilities(): McpClient['capabilities'] {
    return this.client.capabilities
  }

  get meta(): McpClient['meta'] {
    return this.client.meta
  }

  get wantsProgress(): boolean {
    return this.client.wantsProgress
  }

  ask(...[questions, signal]: Parameters<McpClient['ask']>): ReturnType<McpClient['ask']> {
    return this.client.ask(this.mask.value(questions), signal)
  }

  notify(...[method, params]: Parameters<McpClient['notify']>): void {
    this.client.notify(method, params)
  }

  continuesAsTask(): void {
    this.client.continuesAsTask?.()
  }

  nameOf(toolId: string): string | undefined {
    return this.client.nameOf?.(toolId)
  }
}

/** The same error object, because callers check its class. A foreign error may be frozen. */
function maskError(error: unknown, mask: ServerMask): unknown {
  if (!(error instanceof Error)) return error
  const message = mask.text(error.message)
  if (message !== error.message) {
    const stack = mask.text(error.stack ?? '')
    Object.defineProperties(error, { message: { value: message }, stack: { value: stack } })
  }
  if (error instanceof McpError) {
    const data = mask.value(error.data)
    if (data !== error.data) Object.defineProperty(error, 'data', { value: data, enumerable: true })
  }
  return error
}
