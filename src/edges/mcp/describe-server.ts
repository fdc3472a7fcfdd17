import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { metaKeys, TASKS_EXTENSION } from '../../sources/mcp/protocol/meta-keys.js'
import { modernRevisions } from '../../sources/mcp/protocol/revisions.js'
import type { McpServer } from '../../sources/mcp/mcp-server.js'
import type { GatewayOptions } from './gateway-options.js'
import type { InitializeRequest } from './gateway.js'
import { truncateWithCount } from './truncate-with-count.js'

const MAX_INSTRUCTIONS_CHARS = 8000
const MAX_SERVER_CHARS = 2000

const OWN_INSTRUCTIONS = [
  'These tools come through Toolcrib, which checks each call, may ask a person first, and keeps a record.',
  'A result that says it waits for approval is not an answer: make the same call again once it was approved.',
  'Of a result that is too long there is a preview and a toolcrib:// resource link; reading that resource gives the rest page by page.',
].join(' ')

const USER_HINT =
  'Tell the user so when a tool is needed: the command is for the user to run in a terminal, after which this client reconnects.'

/** The result of `initialize` or `server/discover`, with the instructions of the servers that this client can see. */
export function describeServer(
  options: GatewayOptions,
  servers: readonly McpServer[],
  { era, protocolVersion }: InitializeRequest,
): JsonObject {
  const instructions = instructionsOf(options, servers)
  if (era === 'legacy') {
    return {
      protocolVersion,
      capabilities: legacyCapabilities(protocolVersion),
      serverInfo: { ...options.info },
      instructions,
    }
  }
  return {
    resultType: 'complete',
    supportedVersions: [...modernRevisions],
    capabilities: { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } },
    instructions,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [metaKeys.serverInfo]: { ...options.info } },
  }
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

function legacyCapabilities(revision: string): JsonObject {
  const { completions, ...first } = CAPABILITIES
  if (revision === '2024-11-05') return first
  if (revision !== '2025-11-25') return { ...first, completions }
  return { ...CAPABILITIES, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
}

/** The gateway's own instructions first, then those of the servers up to the limit. */
function instructionsOf({ instructions, whyNoTools }: GatewayOptions, servers: readonly McpServer[]): string {
  const why = whyNoTools?.()
  const ours =
    why === undefined ? OWN_INSTRUCTIONS : truncateWithCount(`${why}\n${USER_HINT}`, MAX_SERVER_CHARS)
  let text = instructions === undefined ? ours : `${ours}\n\n${instructions}`
  for (const server of servers) {
    const own = server.instructions()?.trim().slice(0, MAX_SERVER_CHARS)
    if (!own) continue
    const part = `\n\nThe server "${server.name}" says:\n${own}`
    if (text.length + part.length > MAX_INSTRUCTIONS_CHARS) break
    text += part
  }
  return text
}
