/** Keys of `_meta` that the protocol defines. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const

/** Keys of a single connection: they are not forwarded; the next connection sets its own. */
export const connectionKeys: ReadonlySet<string> = new Set([
  'progressToken',
  metaKeys.protocolVersion,
  metaKeys.clientInfo,
  metaKeys.clientCapabilities,
  metaKeys.serverInfo,
  metaKeys.subscriptionId,
  metaKeys.relatedTask,
])

/** Toolcrib's key for facts about a call. */
export const OWN_META_KEY = 'dev.toolcrib/call'
/** Toolcrib's key in the data of a result that was shortened or redacted. */
export const OWN_RESULT_KEY = 'dev.toolcrib/result'
/** Toolcrib's key for the server that a question comes from. */
export const OWN_SERVER_KEY = 'dev.toolcrib/server'
/** Toolcrib's key that marks a tool known from an earlier run, while its server is connecting. */
export const OWN_CONNECTING_KEY = 'dev.toolcrib/connecting'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
