import type { ToolTransport } from '../compiled.js'
import type { Transport, TransportEnvironment } from './transport.js'

export type TransportType = ToolTransport['type']

export type OpenTransport = (environment: TransportEnvironment) => Transport

/** Loads the code of a transport when the first tool needs it. */
export type Transports = Readonly<Partial<Record<TransportType, () => Promise<OpenTransport>>>>

export const transports: Transports = {
  'rest-api': async () => (await import('./rest-api/rest-transport.js')).restTransport as OpenTransport,
  lambda: async () => (await import('./lambda/lambda-transport.js')).lambdaTransport as OpenTransport,
  'message-queue': async () =>
    (await import('./message-queue/queue-transport.js')).queueTransport as OpenTransport,
  mcp: async () => (await import('./mcp/mcp-transport.js')).mcpTransport as OpenTransport,
  database: async () => (await import('./database/database-transport.js')).databaseTransport as OpenTransport,
}
