import type { JsonObject } from '../../../../src/sources/mcp/protocol/json-rpc.js'
import { LATEST_LEGACY, LATEST_MODERN, type Era } from '../../../../src/sources/mcp/protocol/revisions.js'
import {
  ConnectionLost,
  type ConnectOptions,
  type McpConnection,
  type RequestOptions,
} from '../../../../src/sources/mcp/connection/connection.js'

export type Answerer = (method: string, params: JsonObject, options: RequestOptions) => unknown

/** A connection whose answers a test gives. */
export interface PretendConnection extends McpConnection {
  readonly options: ConnectOptions
  /** Ends it, as if the server had died. */
  die(why: string): void
  readonly asked: { method: string; params: JsonObject }[]
}

export function pretendConnection(
  options: ConnectOptions,
  answer: Answerer,
  { era = 'legacy', capabilities = { tools: {} } }: { era?: Era; capabilities?: JsonObject } = {},
): PretendConnection {
  const listeners: ((why: string) => void)[] = []
  let goneBecause: string | undefined
  const asked: PretendConnection['asked'] = []
  const die = (why: string): void => {
    goneBecause = why
    for (const listener of listeners.splice(0)) listener(why)
  }
  return {
    options,
    asked,
    facts: {
      era,
      protocolVersion: era === 'legacy' ? LATEST_LEGACY : LATEST_MODERN,
      info: {},
      capabilities,
      instructions: undefined,
      sessionId: undefined,
    },
    async request(method, params = {}, requestOptions = {}) {
      if (goneBecause !== undefined) throw new ConnectionLost(goneBecause, { mayHaveRun: false })
      asked.push({ method, params })
      return { result: (await answer(method, params, requestOptions)) as JsonObject, requestId: asked.length }
    },
    notify: async () => {},
    onClosed(listener) {
      if (goneBecause === undefined) listeners.push(listener)
      else listener(goneBecause)
    },
    close: async () => die('The connection was closed.'),
    die,
  }
}
