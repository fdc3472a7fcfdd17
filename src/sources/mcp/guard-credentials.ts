import { McpError } from './protocol/mcp-error.js'
import type { McpClient } from './protocol/mcp-client.js'
import type { connect as Connect } from './connection/connect.js'
import type { ConnectOptions, McpConnection, Reply, RequestOptions } from './connection/connection.js'

/** Takes credentials out of what comes from a server: some repeat what they were sent. */
export interface ServerMask {
  /** What went wrong, in the words of the server. */
  text(text: string): string
  /** What it said. The same reference where nothing was found. */
  value<Value>(value: Value): Value
}

export const NO_MASK: ServerMask = { text: (text) => text, value: (value) => value }

/** Connects so that nothing of the credentials comes back with what a server says, and none is lost at the end. */
export function guardCredentials(connect: typeof Connect, mask: ServerMask): typeof Connect {
  return async (options) => {
    const { credentials, onNotification, answer } = options
    const heard: ConnectOptions = credentials
      ? {
          ...options,
          onNotification: (method, params) => onNotification(method, mask.value(params)),
          answer: answer && ((question, signal) => answer(mask.value(question), signal)),
        }
      : options
    try {
      return guarded(await connect(heard), options, mask)
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
  const links = new WeakMap<McpClient, McpClient>()

  /** The same link for the same client: whose question it is, is told by that. */
  function linkTo(client: McpClient): McpClient {
    let link = links.get(client)
    if (!link) {
      links.set(client, (link = maskedLink(client, mask)))
    }
    return link
  }

  function listening(options: RequestOptions): RequestOptions {
    const { client, onProgress, onNotification } = options
    return {
      ...options,
      client: client && linkTo(client),
      onProgress: onProgress && ((params) => onProgress(mask.value(params))),
      onNotification: onNotification && ((method, params) => onNotification(method, mask.value(params))),
    }
  }

  async function request(...[method, params, options = {}]: Parameters<McpConnection['request']>) {
    try {
      const reply = await connection.request(method, params, credentials ? listening(options) : options)
      // Results of tools go through the redactor of the crib, as all others do.
      return credentials && method !== 'tools/call' ? clean(reply) : reply
    } catch (error) {
      throw maskError(error, mask)
    }
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

/** Every member by itself: a client's own members are not there for an object that only has it as its prototype. */
function maskedLink(client: McpClient, mask: ServerMask): McpClient {
  return {
    get capabilities() {
      return client.capabilities
    },
    get meta() {
      return client.meta
    },
    get wantsProgress() {
      return client.wantsProgress
    },
    ask: (questions, signal) => client.ask(mask.value(questions), signal),
    notify: (method, params) => client.notify(method, params),
    goesOnAlone: () => client.goesOnAlone?.(),
    nameOf: (toolId) => client.nameOf?.(toolId),
  }
}

/** The same error, as others tell it by its class. What is no error of ours may not let itself be changed. */
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
