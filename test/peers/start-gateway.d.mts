import type { McpServerSettings } from '../../src/sources/mcp/server-settings.js'

export interface RunningGateway {
  url: string
  folder: string
  pid: number
  /** Everything that it has written so far. */
  printed(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export function startGateway(options: {
  mcpServers: Record<string, McpServerSettings>
  /** Members of `serve` in the config. */
  serve?: Record<string, unknown>
  /** Further members of the config. */
  more?: Record<string, unknown>
  env?: Record<string, string>
}): Promise<RunningGateway>
