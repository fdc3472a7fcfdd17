import { createHash } from 'node:crypto'

const USABLE_TOOL = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/
const USABLE_SERVER = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/
const MAX_READABLE = 100
const MAX_SERVER = 40

/** The name itself where rules, models and terminals can take it, else one that is made of it and always the same. */
export function safeToolName(name: string): string {
  return USABLE_TOOL.test(name) ? name : made(name)
}

/** Without a dot: `mcp.a.b` would be a tool of one server and the namespace of another. */
export function safeServerName(name: string): string {
  return USABLE_SERVER.test(name) ? name : made(name, MAX_SERVER)
}

/** The namespace of a server's tools. */
export function serverNamespace(name: string): string {
  return `mcp.${safeServerName(name)}`
}

function made(name: string, maxReadable = MAX_READABLE): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '')
  return `${readable.slice(0, maxReadable) || 'tool'}-${hash}`
}
