import { toAbortSignal } from '../../../../src/platform/async/stop-signal.js'
import type { Exchange, Gateway, GatewaySession } from '../../../../src/edges/mcp/gateway.js'
import type { Caller } from '../../../../src/edges/server/caller.js'
import type { JsonObject } from '../../../../src/sources/mcp/protocol/json-rpc.js'
import { McpError } from '../../../../src/sources/mcp/protocol/mcp-error.js'

/** A gateway with a few tools that exercise a transport. */
export interface StubGateway extends Gateway {
  /** Open sessions. */
  readonly sessions: Set<GatewaySession>
  readonly callers: Caller[]
  /** Names of calls whose signal was aborted. */
  readonly aborted: string[]
  readonly notifications: string[]
  /** Sends a notification, such as a list change, to all listeners. */
  announce(method: string, params?: JsonObject): void
}

const serverInfo = { name: 'stub', version: '1.0.0' }
const object = { type: 'object', properties: {} }
const tools = [
  {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
  { name: 'progress', description: 'Tells of progress.', inputSchema: object },
  { name: 'ask', description: 'Asks the client.', inputSchema: object },
  { name: 'hang', description: 'Never ends by itself.', inputSchema: object },
  { name: 'tell_then_hang', description: 'Tells something, then waits to be released.', inputSchema: object },
  { name: 'test_trigger_tool_change', description: 'Changes the list.', inputSchema: object },
  { name: 'test_missing_capability', description: 'Needs sampling.', inputSchema: object },
  { name: 'test_streaming_elicitation', description: 'Streams.', inputSchema: object },
  { name: 'test_logging_tool', description: 'Logs.', inputSchema: object },
  { name: 'test_reconnection', description: 'Tells something first.', inputSchema: object },
  {
    name: 'regional',
    description: 'Repeats an argument in a header.',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
]

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} }

/** A value that is nested too deeply to be written. */
function deepValue(): unknown {
  let value: unknown = []
  for (let level = 0; level < 50_000; level += 1) value = [value]
  return value
}

/** `release` lets `tell_then_hang` continue. */
export function createStubGateway(options: { release?: Promise<void> } = {}): StubGateway {
  const listeners = new Set<(method: string, params: JsonObject) => void>()
  const sessions = new Set<GatewaySession>()
  const aborted: string[] = []
  const notifications: string[] = []
  const callers: Caller[] = []
  const announce = (method: string, params: JsonObject = {}) => {
    for (const listener of listeners) listener(method, params)
  }
  const text = (words: string, more: JsonObject = {}) => ({
    content: [{ type: 'text', text: words }],
    ...more,
  })

  const call = async (name: string, args: JsonObject, exchange: Exchange): Promise<JsonObject> => {
    switch (name) {
      case 'echo':
      case 'regional':
      case 'test_logging_tool':
        return text(String(args['text'] ?? args['region'] ?? 'nothing'))
      case 'progress':
      case 'test_streaming_elicitation':
      case 'test_reconnection': {
        const progressToken = exchange.meta?.['progressToken'] ?? 'none'
        for (const progress of [1, 2, 3])
          exchange.notify('notifications/progress', { progressToken, progress, total: 3 })
        return text('done')
      }
      case 'ask': {
        const question = {
          method: 'elicitation/create',
          params: { message: 'Who?', requestedSchema: object },
        }
        const answer = await exchange.ask!(question, toAbortSignal(exchange.signal))
        return text(JSON.stringify(answer))
      }
      case 'tell_then_hang':
        exchange.notify('notifications/message', { level: 'info', data: 'before' })
        await Promise.race([options.release, untilAborted(name, exchange)])
        exchange.notify('notifications/message', { level: 'info', data: 'after' })
        return text('released')
      case 'hang':
        await untilAborted(name, exchange)
        return text('aborted')
      case 'test_trigger_tool_change':
        announce('notifications/tools/list_changed')
        return text('changed')
      case 'test_missing_capability':
        throw new McpError(-32_021, 'Needs sampling.', { requiredCapabilities: { sampling: {} } })
      case 'deep':
        return text('deep', { _meta: { deep: deepValue() } })
      case 'deep_notice':
        exchange.notify('notifications/message', { level: 'info', data: deepValue() })
        return text('told')
      case 'deep_refusal':
        throw new McpError(-32_000, 'no', deepValue())
      case 'broken':
        throw new Error('an internal detail')
      default:
        throw new McpError(-32_602, `Unknown tool ${name}`)
    }
  }
  const untilAborted = (name: string, { signal }: Exchange) =>
    new Promise<void>((resolve) => {
      const note = () => (aborted.push(name), resolve())
      if (signal.aborted) note()
      else signal.addEventListener('abort', { handleEvent: note })
    })

  return {
    sessions,
    callers,
    aborted,
    notifications,
    announce,
    async open(caller, { sessionId }) {
      callers.push(caller)
      const mine = new Set<() => void>()
      const session: GatewaySession = {
        id: sessionId ?? `session-${callers.length}`,
        initialize: ({ era }) =>
          era === 'legacy'
            ? { capabilities, serverInfo }
            : {
                resultType: 'complete',
                supportedVersions: ['2026-07-28'],
                capabilities,
                ttlMs: 0,
                cacheScope: 'private',
                _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
              },
        async handle(method, params, exchange) {
          const modern = exchange.era === 'modern' ? { resultType: 'complete' } : {}
          if (method === 'tools/list')
            return exchange.era === 'modern'
              ? { ...modern, tools, ttlMs: 0, cacheScope: 'private' }
              : { tools }
          if (method !== 'tools/call') throw new McpError(-32_601, 'Method not found')
          const result = await call(
            String(params['name']),
            (params['arguments'] ?? {}) as JsonObject,
            exchange,
          )
          return { ...modern, ...result }
        },
        notified: (method) => void notifications.push(method),
        headerFields: (tool) =>
          tool === 'regional' ? [{ header: 'mcp-param-region', path: ['region'] }] : [],
        listen(send, filter) {
          const forward = (method: string, params: JsonObject) => {
            if (filter === undefined || (method.includes('/tools/') && filter['toolsListChanged'] === true))
              send(method, params)
          }
          listeners.add(forward)
          const stop = () => (listeners.delete(forward), mine.delete(stop), undefined)
          mine.add(stop)
          return stop
        },
        async close() {
          for (const stop of mine) stop()
          sessions.delete(session)
        },
      }
      sessions.add(session)
      return session
    },
    async close() {
      for (const session of sessions) await session.close()
    },
  }
}
