/** The server in a program of your own: MCP, the HTTP API and the console of a crib. */
export { serveCrib, type CribServer, type ServeCribOptions } from './edges/library/serve-crib.js'
export type { ServeToken } from './host/serving/admission.js'
export { roles, type Role } from './platform/config/roles.js'
export type { SurfaceSettings } from './edges/mcp/gateway-options.js'
