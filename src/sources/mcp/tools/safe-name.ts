import { readableName } from '../../readable-name.js'

const USABLE_TOOL = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/
const USABLE_SERVER = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/
const MAX_READABLE = 100
const MAX_SERVER = 40

/** The same name where rules, models and terminals can use it, else a stable name derived from it. */
export function safeToolName(name: string): string {
  return USABLE_TOOL.test(name) ? name : readableName(name, { maxChars: MAX_READABLE, empty: 'tool' })
}

/** Without a dot: `mcp.a.b` would be a tool of one server and the namespace of another. */
export function safeServerName(name: string): string {
  return USABLE_SERVER.test(name) ? name : readableName(name, { maxChars: MAX_SERVER, empty: 'tool' })
}

/** The namespace of a server's tools. */
export function serverNamespace(name: string): string {
  return `mcp.${safeServerName(name)}`
}
