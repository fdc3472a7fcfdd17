import { onTestFinished } from 'vitest'
import type { Role } from '../../../../src/platform/config/roles.js'
import { createCrib } from '../../../../src/crib/create-crib.js'
import type { Crib, CribOptions } from '../../../../src/crib/crib.js'
import { mountApi, type ApiOptions } from '../../../../src/edges/http-api/mount-api.js'
import { createHttpServer } from '../../../../src/edges/server/http-server.js'
import { tokenTable } from '../../../../src/edges/server/auth/token-table.js'
import { memoryStore } from '../../../../src/storage/memory/memory-store.js'
import { checkContract } from './check-contract.js'

/** A token of 20 letters for each identity. */
const identities: readonly { name: string; roles: readonly Role[]; tenant?: string }[] = [
  { name: 'agent', roles: ['caller'] },
  { name: 'other-agent', roles: ['caller'] },
  { name: 'reviewer', roles: ['reviewer'] },
  { name: 'operator', roles: ['operator'] },
  { name: 'auditor', roles: ['auditor'] },
  { name: 'stranger', roles: ['caller', 'reviewer', 'operator', 'auditor'], tenant: 'elsewhere' },
]

export type IdentityName = (typeof identities)[number]['name']

export function tokenOf(name: string): string {
  return `${name}-token-${'x'.repeat(10)}`
}

export interface OpenApi {
  readonly crib: Crib
  readonly url: string
  /** Sends a request as one of the identities, and checks the answer against the OpenAPI document. */
  ask(as: string, method: string, path: string, options?: AskOptions): Promise<ApiAnswer>
}

export interface AskOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: never
}

/** A real server on a free port with the API of a crib in memory. */
export async function openApi(options: CribOptions = {}, more: Partial<ApiOptions> = {}): Promise<OpenApi> {
  const crib = more.crib ?? (await createCrib({ store: memoryStore(), reviewers: ['reviewer'], ...options }))
  const server = createHttpServer({
    wrongTokensPerMinute: 100_000,
    authenticate: tokenTable(
      identities.map(({ name, roles, tenant }) => ({ actor: name, token: tokenOf(name), roles, tenant })),
    ),
  })
  const problems: unknown[] = []
  mountApi(server, {
    crib,
    tenant: 'default',
    surfaceRequest: (name) => (name === 'default' ? { scope: 'session' } : undefined),
    sourceHealth: async () => [],
    report: (problem) => problems.push(problem),
    ...more,
  })
  const listening = await server.listen()
  onTestFinished(async () => {
    await listening.close()
    await crib.close({ graceMs: 0 })
    if (problems.length > 0) throw problems[0]
  })
  return {
    crib,
    url: listening.url,
    async ask(as, method, path, { body, headers } = {}) {
      const response = await fetch(`${listening.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokenOf(as)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const type = response.headers.get('content-type') ?? ''
      const read: unknown = /json/.test(type) && text !== '' ? JSON.parse(text) : text
      checkContract({ method, path, status: response.status, type, body: read })
      return { status: response.status, headers: response.headers, body: read as never }
    },
  }
}
