import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { metaKeys, TASKS_EXTENSION } from '../../sources/mcp/protocol/meta-keys.js'
import { modernRevisions } from '../../sources/mcp/protocol/revisions.js'
import type { McpServer } from '../../sources/mcp/mcp-server.js'
import { cutText } from './cut-text.js'
import type { GatewayOptions } from './gateway-options.js'
import type { InitializeRequest } from './gateway.js'

const MAX_INSTRUCTIONS_CHARS = 8000
const MAX_SERVER_CHARS = 2000

const HOUSE = [
  'These tools come through Toolcrib, which checks each call, may ask a person first, and keeps a record.',
  'A result that says it waits for approval is not an answer: make the same call again once it was approved.',
  'Of a result that is too long there is a preview and a toolcrib:// resource link; reading that resource gives the rest page by page.',
].join(' ')

const TELL_USER =
  'Tell the user so when a tool is needed: the command is for the user to run in a terminal, after which this client reconnects.'

/** The result of `initialize` or `server/discover`, with what the servers say that this client has something of. */
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

/** Ours first; of the servers as much as there is room for. */
function instructionsOf({ instructions, whyNoTools }: GatewayOptions, servers: readonly McpServer[]): string {
  const why = whyNoTools?.()
  const ours = why === undefined ? HOUSE : cutText(`${why}\n${TELL_USER}`, MAX_SERVER_CHARS)
  let text = instructions === undefined ? ours : `${ours}\n\n${instructions}`
  for (const server of servers) {
    const said = server.instructions()?.trim().slice(0, MAX_SERVER_CHARS)
    if (!said) continue
    const part = `\n\nThe server "${server.name}" says:\n${said}`
    if (text.length + part.length > MAX_INSTRUCTIONS_CHARS) break
    text += part
  }
  return text
}
