import { isLoopbackName } from '../../../../http-client/is-loopback.js'
import type { ConnectionFields } from './session.js'

/** The server of a connection over TCP. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: string
  readonly tls: TlsMode
  /** Certificates, as PEM, that the server's must come from. Absent: those that Node.js trusts. */
  readonly ca: string | undefined
}

/**
 * The field `sslmode` of a connection, with the names of PostgreSQL. Without it, connections to this machine have no TLS,
 * and others have `verify-full`.
 */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type TlsMode = (typeof tlsModes)[number]

/** Options of `node:tls`, which several libraries take as they are. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  readonly checkServerIdentity?: () => undefined
}

export function serverAddress(fields: ConnectionFields, defaultPort: number): ServerAddress {
  const host = text(fields['host'])
  const { sslmode, ssl_ca } = fields
  const tls = tlsModes.find((mode) => mode === sslmode) ?? (isLoopbackName(host) ? 'disable' : 'verify-full')
  const port = Number(fields['port'] ?? defaultPort)
  return {
    host,
    port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : defaultPort,
    database: text(fields['database']),
    username: text(fields['username']),
    password: text(fields['password']),
    tls,
    ca: typeof ssl_ca === 'string' && ssl_ca !== '' ? ssl_ca : undefined,
  }
}

/** Undefined without TLS. `require` encrypts and trusts any server. */
export function tlsOptions({ tls, ca }: Pick<ServerAddress, 'tls' | 'ca'>): TlsOptions | undefined {
  if (tls === 'disable') return undefined
  return {
    rejectUnauthorized: tls !== 'require',
    ...(ca !== undefined && { ca }),
    ...(tls === 'verify-ca' && { checkServerIdentity: () => undefined }),
  }
}

export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
