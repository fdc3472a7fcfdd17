/** MCP without the command line: servers as sources, checks of their tools, and the gateway. */
export { createMcpServers, type McpServersOptions } from './sources/mcp/create-mcp-servers.js'
export type { McpOAuthSettings, McpServerSettings } from './sources/mcp/server-settings.js'
export type {
  McpServer,
  McpServers,
  ServersChange,
  ServerHealth,
  ServerEvent,
} from './sources/mcp/mcp-server.js'
export type { ServerMask } from './sources/mcp/guard-credentials.js'
export type { Credential, Proof, RefusedProof } from './http-client/credential.js'
export type { ServerFacts } from './sources/mcp/connection/connection.js'
export { acceptTools, changedTools } from './sources/mcp/tools/pins.js'
export type { ChangedTool, PendingChange, ShownChange } from './sources/changes/source-changes.js'
export type { ToolDiff } from './sources/changes/diff-tool.js'
export { lintTools, type ListNote } from './catalog/lint/lint-tools.js'
export type { LintFinding, LintRule, LintSeverity } from './catalog/lint/finding.js'
export { createGateway } from './edges/mcp/create-gateway.js'
export type {
  GatewayOptions,
  NameStyle,
  SurfaceLookup,
  SurfaceSettings,
} from './edges/mcp/gateway-options.js'
export type { Exchange, Gateway, GatewaySession, InitializeRequest } from './edges/mcp/gateway.js'
export type { Caller } from './edges/server/caller.js'
export type { Role } from './platform/config/roles.js'
export { serveHttp, type GatewayServer } from './edges/mcp/http/serve-http.js'
export type { HttpOptions } from './edges/mcp/http/http-options.js'
export { serveStdio, type StdioServer, type StdioOptions } from './edges/mcp/stdio/serve-stdio.js'
export type { Authenticate, Refusal } from './edges/server/auth/authenticate.js'
export { firstThatKnows } from './edges/server/auth/first-that-knows.js'
export { tokenTable, type TokenEntry, type TokenTableOptions } from './edges/server/auth/token-table.js'
export { jwtVerifier, type JwtVerifierOptions } from './edges/server/auth/jwt-verifier.js'
export {
  protectedResourceMetadata,
  protectedResourceMetadataUrl,
  type ProtectedResource,
} from './edges/server/auth/protected-resource-metadata.js'
