/** Names under `_meta` that the protocol gives a meaning. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const

/** What concerns one connection alone: it is not carried from one to the next, which says its own. */
export const connectionKeys: ReadonlySet<string> = new Set([
  'progressToken',
  metaKeys.protocolVersion,
  metaKeys.clientInfo,
  metaKeys.clientCapabilities,
  metaKeys.serverInfo,
  metaKeys.subscriptionId,
  metaKeys.relatedTask,
])

/** The name under which Toolcrib says something of its own about a call. */
export const OWN_META_KEY = 'dev.toolcrib/call'
/** The one in the data of a result that was shortened or redacted. */
export const OWN_RESULT_KEY = 'dev.toolcrib/result'
/** And the one under which a question says whose it is. */
export const OWN_SERVER_KEY = 'dev.toolcrib/server'
/** And the one that marks a tool that is known from before, while its server is being connected to. */
export const OWN_CONNECTING_KEY = 'dev.toolcrib/connecting'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
