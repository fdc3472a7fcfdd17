import type { OpenClients } from './server-metrics.js'

/** What is open at the endpoints of MCP and at the API. Nothing before they listen. */
export function openClients(
  mcp: { readonly open: { sessions: number; connections: number; streams: number } } | undefined,
  api: { readonly listeners: number } | undefined,
): OpenClients {
  const { sessions = 0, connections = 0, streams = 0 } = mcp?.open ?? {}
  return { mcpSessions: sessions + connections, listeners: { mcp: streams, api: api?.listeners ?? 0 } }
}
