import { isObject } from '../json/is-object.js'

/** Keys of other clients' files beside their servers; they are ignored. */
const BESIDE = new Set(['$schema', 'inputs'])

/** A plain `.mcp.json`, or VS Code's `mcp.json`, as a config; anything else as it is. */
export function fromMcpJson(value: unknown): unknown {
  const block = serversOf(value)
  return block ? { mcpServers: block.servers } : value
}

/** Whether it is a file of servers only, in the format of other clients. */
export function isMcpJson(value: unknown): boolean {
  return serversOf(value) !== undefined
}

function serversOf(value: unknown): { servers: unknown } | undefined {
  if (!isObject(value)) return undefined
  const words = Object.keys(value).filter((key) => !BESIDE.has(key))
  const [word] = words
  if (words.length !== 1 || (word !== 'mcpServers' && word !== 'servers')) return undefined
  return { servers: Reflect.get(value, word) as unknown }
}
