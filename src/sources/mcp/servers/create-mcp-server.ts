import type { Source } from '../../source.js'
import type { McpServer } from '../mcp-server.js'
import type { McpServerSettings } from '../server-settings.js'
import {
  createServerParts,
  refuseIfOff,
  sendLogLevel,
  type ServerEnvironment,
  type ServerParts,
} from './server-parts.js'
import { toHealth } from './to-health.js'

/** A server, with the methods that are reserved for its creator. */
export interface OwnedServer extends McpServer {
  close(): Promise<void>
}

export function createMcpServer(
  name: string,
  settings: McpServerSettings,
  environment: ServerEnvironment,
): OwnedServer {
  const parts = createServerParts(name, settings, environment)
  const { mask, listeners, stderr, seen, condition, toolList, connections, exchange, lists } = parts

  /** Connects, unless the server is lazy and its tools are stored from before. */
  function start(): void {
    if (!condition.begin()) return
    if (settings.start === 'lazy' && toolList.isFilled) return condition.settle()
    connections.main.open().catch(() => {})
  }

  return {
    name,
    settings,
    source: sourceOf(name, parts, start),
    health: () =>
      toHealth(condition.state, {
        tools: toolList.drafts().length,
        restarts: Math.max(0, seen.connections - 1),
        pid: connections.main.connection?.pid,
        mask,
        written: stderr.recent,
      }),
    facts: () => seen.facts,
    instructions: () => (seen.facts ? seen.facts.instructions : toolList.instructions),
    knowsTools: () => toolList.isFilled,
    request: async (method, params, options) => (await exchange(method, params, options)).result,
    resources: () => lists.resources.entries(),
    resourceTemplates: () => lists.resourceTemplates.entries(),
    prompts: () => lists.prompts.entries(),
    subscribe: (uri) => parts.subscriptions.add(uri),
    async setLogLevel(level) {
      seen.logLevel = level
      const { connection } = connections.main
      if (connection) await sendLogLevel(connection, level)
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listed: () => toolList.listed(),
    changed: () => toolList.changed(),
    notes: () => toolList.notes(),
    stderr: () => stderr.lines().map(mask),
    leave: (session) => connections.leave(session),
    async restart() {
      refuseIfOff(name, condition)
      condition.begin()
      condition.apply({ kind: 'dialing', at: environment.now() })
      await connections.disconnect()
      await parts.open()
    },
    settled() {
      start()
      return condition.settled
    },
    close: parts.close,
  }
}

function sourceOf(name: string, { toolList, condition, close }: ServerParts, start: () => void): Source {
  return {
    name: `mcp:${name}`,
    entry: name,
    async open(storage) {
      await toolList.open(storage)
      start()
    },
    list: async () => (condition.state.is === 'disabled' ? [] : toolList.drafts()),
    watch: (changed) => toolList.watch(changed),
    pending: () => (condition.isPending ? [name] : []),
    close,
  }
}
