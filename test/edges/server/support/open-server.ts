import { createHash } from 'node:crypto'
import { request as send } from 'node:http'
import { onTestFinished } from 'vitest'
import { createCrib } from '../../../../src/crib/create-crib.js'
import type { CribOptions } from '../../../../src/crib/crib.js'
import { mountApi } from '../../../../src/edges/http-api/mount-api.js'
import { createGateway } from '../../../../src/edges/mcp/create-gateway.js'
import { serveHttp } from '../../../../src/edges/mcp/http/serve-http.js'
import { openIdentities } from '../../../../src/edges/server/identities.js'
import { serveAuth } from '../../../../src/edges/cli/serve/serve-auth.js'
import { mountOidc } from '../../../../src/edges/server/oidc/oidc-handler.js'
import type { CribSettings } from '../../../../src/host/crib-settings.js'
import { memoryStore } from '../../../../src/storage/memory/memory-store.js'
import type { Store } from '../../../../src/storage/store.js'

export const OWNER = 'olga'

export interface OpenServerOptions {
  readonly serve?: NonNullable<CribSettings['config']['serve']>
  readonly store?: Store
  readonly crib?: CribOptions
  readonly isTrusted?: boolean
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON, or the text. */
  readonly body: never
  /** The session cookie that the answer sets, as a browser sends it back. */
  readonly cookie: string | undefined
}

/** The whole server of a config, with MCP and the API, as `toolcrib serve` opens it. */
export async function openServer({
  serve = {},
  store = memoryStore(),
  crib: options = {},
  isTrusted = true,
}: OpenServerOptions = {}) {
  const settings = {
    config: { actor: OWNER, serve },
    trust: { isTrusted },
    hooks: [],
  } as unknown as CribSettings
  const { admitted, oidc } = await serveAuth(settings, {})
  const crib = await createCrib({
    store,
    actor: OWNER,
    reviewers: ['person:olga', 'role:reviewer'],
    ...options,
  })
  const identities = await openIdentities({ settings, admitted, store })
  const gateway = createGateway({
    crib,
    surfaces: { default: {} },
    info: { name: 'gateway', version: '1' },
  })
  const problems: unknown[] = []
  const report = (problem: unknown): void => void problems.push(problem)
  const server = await serveHttp({
    gateway,
    ...identities.server,
    ...(serve.port !== undefined && { port: serve.port }),
    allowedHosts: serve.publicUrl === undefined ? [] : [new URL(serve.publicUrl).host],
    ...(serve.allowedOrigins && { allowedOrigins: serve.allowedOrigins }),
    onProblem: report,
    mount(on) {
      mountApi(on, {
        crib,
        tenant: 'default',
        surfaceRequest: (name) => (name === 'default' ? { scope: 'session' } : undefined),
        sourceHealth: async () => [],
        report,
        identities,
      })
      if (oidc)
        mountOidc(on, { ...oidc, logins: identities.logins, guesses: identities.server.guesses, report })
    },
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await server.close()
      await identities.close()
      await gateway.close()
      await crib.close({ graceMs: 0 })
    })())
  onTestFinished(close)
  const origin = `http://127.0.0.1:${server.port}`
  return { crib, identities, origin, port: server.port, close, problems, ask: askAt(origin) }
}

export type OpenedServer = Awaited<ReturnType<typeof openServer>>

export interface Asked {
  readonly token?: string
  readonly cookie?: string | undefined
  readonly csrf?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Not `fetch`, which sets Host, Origin and the headers of fetch metadata itself. */
export function askAt(origin: string) {
  return (method: string, path: string, { token, cookie, csrf, body, headers }: Asked = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const request = send(
        `${origin}${path}`,
        {
          method,
          agent: false,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(cookie !== undefined && { cookie }),
            ...(csrf !== undefined && { 'x-csrf-token': csrf }),
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const read = Buffer.concat(chunks).toString('utf8')
            const isJson = /json/.test(response.headers['content-type'] ?? '') && read !== ''
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: (isJson ? JSON.parse(read) : read) as never,
              cookie: response.headers['set-cookie']
                ?.map((each) => each.split(';')[0]!)
                .find((each) => each.startsWith('toolcrib_session_')),
            })
          })
        },
      )
      request.on('error', reject)
      request.end(text)
    })
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A call over MCP. */
export function listTools({ ask }: Pick<OpenedServer, 'ask'>, given: Asked): Promise<Reply> {
  return ask('POST', '/mcp', {
    ...given,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    headers: { accept: 'application/json, text/event-stream', ...given.headers },
  })
}
