/**
 * Coding agents write `mcp__<server>__<tool>` for a tool of a server and `mcp__<server>` for all of its tools. That is syntax
 * of rules, like `Bash` and `WebFetch`: a rule is read before any tool is known, and a call of another agent has only a name.
 */
const PREFIX = 'mcp__'

/** Whether a name in a rule is about a server or one of its tools. */
export function isServerName(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** Whether a name in a rule is about all tools of a server. */
export function namesWholeServer(name: string): boolean {
  return isServerName(name) && /^(?:(?!__).)+$/.test(name.slice(PREFIX.length))
}

/** The name that the server itself gives the tool. */
export function ownNameOfServerTool(name: string): string | undefined {
  return /^mcp__.+?__(.+)$/.exec(name)?.[1]
}
