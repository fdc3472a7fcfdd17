import { describe, expect, it, onTestFinished } from 'vitest'
import { defineTool, memoryStore, type CribOptions, type Store } from 'toolcrib'
import { mountApi } from '../../../src/edges/http-api/mount-api.js'
import { createHealth, type HealthOptions } from '../../../src/edges/server/health/mount-health.js'
import { createHttpServer } from '../../../src/edges/server/http-server.js'
import { tokenTable } from '../../../src/edges/server/auth/token-table.js'
import type { SeenRequest } from '../../../src/edges/server/watch-requests.js'
import { createCrib } from '../../../src/crib/create-crib.js'
import { until } from '../../until.js'

const tokenOf = (name: string): string => `${name}-token-${'x'.repeat(12)}`
const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` })

const works = defineTool({
  name: 'works',
  description: 'Works.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: async () => 'done',
})

async function serve(options: CribOptions = {}, more: Partial<HealthOptions> = {}) {
  const crib = await createCrib({ store: memoryStore(), tools: [works], ...options })
  const seen: SeenRequest[] = []
  const problems: unknown[] = []
  const health = createHealth({
    crib,
    sources: () => [],
    isPublic: false,
    tenant: 'default',
    open: () => ({ mcpSessions: 2, listeners: { mcp: 1, api: 3 } }),
    report: (problem) => problems.push(problem),
    ...more,
  })
  const server = createHttpServer({
    authenticate: tokenTable([
      { actor: 'agent', token: tokenOf('agent'), roles: ['caller'] },
      { actor: 'auditor', token: tokenOf('auditor'), roles: ['auditor'] },
      { actor: 'operator', token: tokenOf('operator'), roles: ['operator'] },
      { actor: 'guest', token: tokenOf('guest'), roles: ['operator', 'auditor'], tenant: 'elsewhere' },
    ]),
    onRequest(request) {
      seen.push(request)
      health.onRequest(request)
    },
  })
  health.mount(server)
  mountApi(server, {
    crib,
    tenant: 'default',
    surfaceRequest: () => ({ scope: 'session' }),
    sourceHealth: async () => [],
    report: (problem) => problems.push(problem),
  })
  const listening = await server.listen()
  onTestFinished(async () => {
    await listening.close()
    await crib.close({ graceMs: 0 })
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${listening.url}${path}`, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const metrics = async (): Promise<string> => (await ask('/metrics', { headers: bearer('auditor') })).text
  return { crib, ask, metrics, seen, problems, listening }
}

/** The samples of the text format, each as `name{labels}` with its value. Fails for a line that is none. */
function samplesIn(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  const typed = new Set<string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) .+$/.exec(line)
    if (comment) {
      if (comment[1] === 'TYPE') typed.add(comment[2]!)
      continue
    }
    const sample =
      /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*"(?:,|(?=\})))*\})? (\S+)$/.exec(line)
    if (!sample) throw new Error(`no line of the format: ${line}`)
    const [, name, labels = '', value] = sample as unknown as [string, string, string | undefined, string]
    expect(typed.has(name) || typed.has(name.replace(/_(bucket|sum|count)$/, '')), name).toBe(true)
    expect(Number.isFinite(Number(value)), line).toBe(true)
    expect(samples.has(`${name}${labels}`), `${line} is there twice`).toBe(false)
    samples.set(`${name}${labels}`, Number(value))
  }
  expect(text.endsWith('\n')).toBe(true)
  return samples
}

describe('/healthz and /readyz', () => {
  it('answer without a token, and only what is read', async () => {
    const { ask } = await serve()
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(await ask('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' })
    expect((await ask('/readyz', { method: 'POST' })).status).toBe(405)
    expect((await ask('/healthz', { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403)
  })

  it('say why the server is not ready, and name neither sources nor files', async () => {
    const memory = memoryStore()
    let problem: Error | undefined
    const write: Store['write'] = (group) => {
      if (problem) throw problem
      return memory.write(group)
    }
    const status = { name: 'mcp:secret-name', tools: 0, state: 'connecting' } as const
    const source = { name: status.name, entry: 'secret-name', kind: 'mcpServers', status }
    const { ask, listening, problems } = await serve(
      { store: { ...memory, write } },
      { sources: () => [source, { ...source, status: { ...status, tools: 3 } }] },
    )
    problem = new Error('The disk of /var/secret-place is full.')
    await until(async () => (await ask('/readyz')).text.includes('"store"'))
    listening.drain()
    const { status: code, text } = await ask('/readyz')
    expect(code).toBe(503)
    expect(JSON.parse(text)).toMatchObject({
      status: 'not_ready',
      reasons: [
        { code: 'closing' },
        { code: 'store' },
        { code: 'sources', message: '1 source has not listed any tools yet.' },
      ],
    })
    expect(text).not.toContain('secret')
    expect(problems).toEqual(['The disk of /var/secret-place is full.'])
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/api/v1/events', { headers: bearer('agent') })).status).toBe(503)
    problem = undefined
  })
})

describe('/metrics', () => {
  it('is for operators and auditors, unless the config makes it public', async () => {
    const { ask } = await serve()
    expect((await ask('/metrics')).status).toBe(401)
    expect(await ask('/metrics', { headers: bearer('agent') })).toMatchObject({
      status: 403,
      text: expect.stringContaining(
        '"detail":"This needs one of the roles operator, auditor; use another token, or ask an operator for one."',
      ) as string,
    })
    for (const path of ['/metrics', '/api/v2/tools', '/api/tools', '/api']) {
      const refused = await ask(path, { method: 'POST' })
      expect(refused.headers.get('content-type'), path).toBe('application/problem+json')
      if (path !== '/metrics')
        expect(refused).toMatchObject({ status: 404, text: expect.stringContaining('/api/v1') as string })
    }
    expect((await ask('/metrics', { headers: bearer('operator') })).status).toBe(200)
    expect((await ask('/metrics', { headers: bearer('guest') })).status).toBe(403)
    const { ask: askOpen } = await serve({}, { isPublic: true })
    const { status, headers } = await askOpen('/metrics')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
    })
  })

  it('counts calls, requests and what is open, in the text format', async () => {
    const status = { name: 'mcp:"odd"\n\\name', tools: 4, restarts: 2, state: 'ready' } as const
    const { crib, ask, metrics } = await serve(
      {},
      { sources: () => [{ name: status.name, entry: 'odd', kind: 'mcpServers', status }] },
    )
    const surface = await crib.surface()
    await crib.call(surface, { name: 'works', input: {} })
    await crib.call(surface, { name: 'works', input: {} })
    await crib.call(surface, { name: 'missing', input: {} })
    await ask('/api/v1/invocations/inv_1', { headers: bearer('auditor') })
    await ask('/api/v1/invocations/inv_2?x=1', { headers: bearer('auditor') })
    await ask('/api/v1/nothing/here', { headers: bearer('auditor') })
    const samples = samplesIn(await metrics())
    const value = (name: string) => samples.get(name)
    expect(value('toolcrib_calls_total{status="succeeded",source="function"}')).toBe(2)
    expect(value('toolcrib_calls_total{status="failed",source=""}')).toBe(1)
    expect(value('toolcrib_call_duration_seconds_count')).toBe(3)
    expect(value('toolcrib_call_duration_seconds_bucket{le="+Inf"}')).toBe(3)
    expect(value('toolcrib_calls_open{state="running"}')).toBe(0)
    expect(value('toolcrib_approvals_waiting')).toBe(0)
    expect(value('toolcrib_log_write_failures_total')).toBe(0)
    expect(value('toolcrib_mcp_sessions')).toBe(2)
    expect(value('toolcrib_sse_listeners{protocol="api"}')).toBe(3)
    const labels = '{source="mcp:\\"odd\\"\\n\\\\name",kind="mcpServers"}'
    expect(value(`toolcrib_source_up${labels}`)).toBe(1)
    expect(value(`toolcrib_source_restarts_total${labels}`)).toBe(2)
    const route = '/api/v1/invocations/{invocation_id}'
    const requests = `toolcrib_http_requests_total{method="GET",route="${route}"`
    const found = [...samples.keys()].filter((name) => name.startsWith(requests))
    expect(found.reduce((sum, name) => sum + value(name)!, 0)).toBe(2)
    expect(value('toolcrib_http_requests_total{method="GET",route="/api/v1",status="404"}')).toBe(1)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect([...samples.keys()].some((name) => name.includes('inv_'))).toBe(false)
  })
})

describe('requests', () => {
  it('get an id, which a client may give in a usual form', async () => {
    const { ask } = await serve()
    const idOf = async (given?: string) =>
      (await ask('/healthz', given === undefined ? {} : { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      )
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf('trace-1.2_a')).toBe('trace-1.2_a')
    expect(await idOf('a b<c>')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/)
    const refused = await ask('/metrics')
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('are reported without their path and query', async () => {
    const { ask, seen } = await serve()
    await ask('/api/v1/invocations/inv_secret?cursor=secret', { headers: bearer('auditor') })
    await ask('/no/secret/path')
    await until(() => seen.length === 2)
    expect(seen).toMatchObject([
      { method: 'GET', route: '/api/v1/invocations/{invocation_id}', actor: 'auditor' },
      { method: 'GET', route: 'unknown', status: 404, actor: undefined },
    ])
    expect(JSON.stringify(seen)).not.toContain('secret')
  })
})
