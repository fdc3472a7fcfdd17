import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadOwnerToken } from '../../../src/credentials/gateway-token.js'
import { createRouteMatcher } from '../../../src/edges/http-api/match-route.js'
import { routes } from '../../../src/edges/http-api/routes.js'
import { defineTool, toolOutput } from '../../../src/index.js'
import { openServer } from '../server/support/open-server.js'
import { checkContract } from './support/check-contract.js'
import { openApi } from './support/open-api.js'

const report = defineTool({
  namespace: 'test',
  name: 'report',
  description: 'Writes a report.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  execute: () =>
    toolOutput({
      structured: { lines: Array.from({ length: 4000 }, (_unused, at) => `line ${at}`) },
      artifacts: [{ name: 'report.txt', content: 'line one\nline two\n', mediaType: 'text/plain' }],
    }),
})

const wait = defineTool({
  namespace: 'test',
  name: 'wait',
  description: 'Waits until it is stopped.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
})

const write = defineTool({
  namespace: 'test',
  name: 'write',
  description: 'Writes something.',
  input: { jsonSchema: { type: 'object' } },
  execute: async () => ({}),
})

it('reads stored content in pages, and downloads artifacts', async () => {
  const { ask } = await openApi({ tools: [report], results: { maxInlineChars: 2000 } })
  const { body } = await ask('agent', 'POST', '/calls', { body: { tool: 'test.report' } })
  const { persisted_payload_ref: stored, artifact_refs: made } = body as {
    persisted_payload_ref: { uri: string }
    artifact_refs: { ref_id: string }[]
  }
  const ref = encodeURIComponent(stored.uri)
  const page = await ask('auditor', 'GET', `/content?ref=${ref}&by=pointer&pointer=/lines&from=10&count=2`)
  expect(page).toMatchObject({ status: 200, body: { kind: 'members', next: { by: 'pointer', from: 12 } } })
  const found = await ask('auditor', 'GET', `/content?ref=${ref}&by=search&text=line%203999`)
  expect(found.body).toMatchObject({ kind: 'matches' })
  expect((await ask('stranger', 'GET', `/content?ref=${ref}`)).status).toBe(404)
  // A caller reads what its own calls gave, and nothing else.
  const own = await ask('agent', 'GET', `/content?ref=${ref}&by=pointer&pointer=/lines&from=10&count=2`)
  expect(own).toEqual({ ...page, headers: own.headers })
  for (const hidden of [ref, encodeURIComponent('toolcrib://policy/x'), 'x'])
    expect((await ask('other-agent', 'GET', `/content?ref=${hidden}`)).status).toBe(404)
  const [{ ref_id: id }] = made as [{ ref_id: string }]
  const list = await ask('auditor', 'GET', '/artifacts')
  expect(list.body).toMatchObject({ items: [{ artifact_id: id, name: 'report.txt' }] })
  expect((await ask('auditor', 'GET', `/artifacts/${id}`)).status).toBe(200)
  expect((await ask('agent', 'GET', '/artifacts')).body).toEqual(list.body)
  expect((await ask('agent', 'GET', `/artifacts/${id}`)).status).toBe(200)
  expect((await ask('agent', 'GET', `/artifacts/${id}/content`)).body).toBe('line one\nline two\n')
  const kept = encodeURIComponent(`toolcrib://artifacts/${id}/latest`)
  expect((await ask('agent', 'GET', `/content?ref=${kept}`)).body).toMatchObject({ kind: 'text' })
  expect((await ask('other-agent', 'GET', '/artifacts')).body).toEqual({ items: [] })
  for (const path of [`/artifacts/${id}`, `/artifacts/${id}/content`, `/content?ref=${kept}`])
    expect((await ask('other-agent', 'GET', path)).status).toBe(404)
  const file = await ask('auditor', 'GET', `/artifacts/${id}/content`)
  expect(file.body).toBe('line one\nline two\n')
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''report.txt")
  expect((await ask('stranger', 'GET', `/artifacts/${id}/content`)).status).toBe(404)
})

it('shows the limits of a tenant, and the failures of sources to the tenant of the server alone', async () => {
  const { ask } = await openApi({
    tools: [report],
    limits: [
      { by: 'tenant', perMinute: 60 },
      { by: 'tenant', of: { tenant: 'acme' }, perMinute: 5 },
    ],
    breaker: {},
  })
  const { body: home } = await ask('auditor', 'GET', '/limits')
  expect(home).toMatchObject({ limits: [{ per_minute: 60 }, { per_minute: 5 }], breaker: {} })
  const { body: elsewhere } = await ask('stranger', 'GET', '/limits')
  expect(elsewhere).toEqual({ limits: [expect.objectContaining({ per_minute: 60, counts: [] })] })
})

it('runs a batch, lists the events of a call, and stops one that runs', async () => {
  const { ask } = await openApi({ tools: [report, wait, write] })
  const batch = await ask('agent', 'POST', '/batches', {
    body: { calls: [{ tool: 'test.report' }, { tool: 'test.report' }] },
  })
  expect(batch).toMatchObject({
    status: 200,
    body: { results: [{ status: 'succeeded' }, { status: 'succeeded' }] },
  })
  const asked = await ask('agent', 'POST', '/batches', {
    body: { calls: [{ tool: 'test.write' }], session: 'other' },
  })
  expect(asked.status).toBe(202)
  const { body } = await ask('agent', 'POST', '/calls', { body: { tool: 'test.wait', mode: 'background' } })
  const { invocation_id: id } = body as { invocation_id: string }
  await expect.poll(async () => (await ask('auditor', 'GET', '/limits')).status).toBe(200)
  expect((await ask('auditor', 'GET', '/locks')).status).toBe(200)
  expect((await ask('other-agent', 'POST', `/invocations/${id}/cancel`, { body: {} })).status).toBe(404)
  expect((await ask('agent', 'POST', `/invocations/${id}/cancel`, { body: {} })).status).toBe(202)
  await expect
    .poll(async () => (await ask('agent', 'GET', `/invocations/${id}`)).body, { timeout: 20_000 })
    .toMatchObject({ result: { status: 'canceled' } })
  const first = await ask('agent', 'GET', `/invocations/${id}/events?limit=2`)
  const { items, next_cursor: cursor } = first.body as { items: unknown[]; next_cursor: string }
  expect(items).toHaveLength(2)
  expect((await ask('agent', 'GET', `/invocations/${id}/events?cursor=${cursor}`)).status).toBe(200)
  const inbox = await ask('reviewer', 'GET', '/approvals')
  const [{ approval }] = (inbox.body as { items: [{ approval: { approval_id: string } }] }).items
  expect((await ask('auditor', 'GET', `/approvals/${approval.approval_id}`)).body).toMatchObject({
    may_answer: false,
  })
})

it('describes itself, sessions and tokens', async () => {
  const server = await openServer()
  const token = loadOwnerToken()
  const ask = async (method: string, path: string, options: object = {}) => {
    const reply = await server.ask(method, `/api/v1${path}`, options)
    const type = String(reply.headers['content-type'] ?? '')
    checkContract({ method, path, status: reply.status, type, body: reply.body })
    return reply
  }
  expect((await ask('GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
  expect((await ask('GET', '/session')).status).toBe(401)
  expect((await ask('GET', '/session', { token })).status).toBe(200)
  const login = await ask('POST', '/session', { body: { login_code: server.identities.logins.loginCode } })
  const { csrf_token: csrf } = login.body as { csrf_token: string }
  const made = await ask('POST', '/tokens', { token, body: { name: 'ci', roles: ['caller'] } })
  const { token_id: id } = made.body as { token_id: string }
  expect((await ask('GET', '/tokens', { token })).body).toMatchObject({ items: [{ name: 'ci' }] })
  expect((await ask('POST', `/tokens/${id}/rotate`, { token, body: {} })).status).toBe(200)
  expect((await ask('DELETE', `/tokens/${id}`, { token })).status).toBe(204)
  expect((await ask('DELETE', '/session', { cookie: login.cookie, csrf })).status).toBe(204)
})

/** The operations that the tests of this folder ask for, as `get /tools/{tool}`. */
function operationsInTests(): Set<string> {
  const matcher = createRouteMatcher(routes)
  const folder = new URL('.', import.meta.url)
  const operations = new Set<string>()
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.test.ts')))
    for (const [, method, path] of readFileSync(new URL(name, folder), 'utf8').matchAll(
      /'(GET|POST|PUT|DELETE)',\s*['`](\/[^'`?]+)/g,
    )) {
      const route = matcher.find(path!.replaceAll(/\$\{[^}]+\}/g, 'x'))?.byMethod.get(method!.toLowerCase())
      if (route) operations.add(`${route.method} ${route.path}`)
    }
  return operations
}

it('has a test for every route, whose answers are checked against the document', () => {
  const asked = operationsInTests()
  const missing = routes.map(({ method, path }) => `${method} ${path}`).filter((each) => !asked.has(each))
  expect(missing).toEqual([])
})
