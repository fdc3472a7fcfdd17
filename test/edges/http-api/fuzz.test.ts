import { Agent, request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { routes } from '../../../src/edges/http-api/routes.js'
import { defineTool } from '../../../src/index.js'
import { fuzzRequest, seededRandom, type FuzzedRequest } from './support/fuzz-requests.js'
import { openApi, tokenOf } from './support/open-api.js'

const REQUESTS_PER_ROUTE = 120

const echo = defineTool({
  namespace: 'test',
  name: 'echo',
  description: 'Give the input back.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  execute: async (input: object) => input,
})

const write = defineTool({
  namespace: 'test',
  name: 'write',
  description: 'Writes something.',
  input: { jsonSchema: { type: 'object' } },
  execute: async () => ({}),
})

it('answers no request with a fault of its own, and hangs on none', async () => {
  const { url, ask, crib } = await openApi({ tools: [echo, write] })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  onTestFinished(() => agent.destroy())
  const { body: ended } = await ask('agent', 'POST', '/calls', {
    body: { tool: 'test.echo', input: { a: 1 } },
  })
  const { body: waiting } = await ask('agent', 'POST', '/calls', { body: { tool: 'test.write', input: {} } })
  const { invocation_id: endedId } = ended as { invocation_id: string }
  const { invocation_id: waitingId, approval_id: approvalId } = waiting as Record<string, string>
  const surface = await crib.surface({ actor: 'agent' })
  const known = ['test.echo', 'test.write', 'default', 'agent', endedId, waitingId!, approvalId!, surface.id]
  const tokens = [
    ...['agent', 'reviewer', 'operator', 'auditor', 'stranger'].map(tokenOf),
    'wrong-token-aaaaaaaaaa',
  ]
  const statuses = new Map<number, number>()
  const faults: string[] = []
  for (const [at, route] of routes.entries()) {
    const random = seededRandom(1000 + at)
    for (let count = 0; count < REQUESTS_PER_ROUTE; count += 8) {
      const batch = Array.from({ length: 8 }, () => fuzzRequest(route, { random, known, tokens }))
      for (const [index, outcome] of (
        await Promise.all(batch.map((each) => send(url, each, agent)))
      ).entries()) {
        if (typeof outcome === 'number') statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
        if (outcome === 'hangs' || outcome === 'broken' || outcome >= 500)
          faults.push(`${outcome}: ${describe(batch[index]!)}`)
      }
    }
  }
  expect(faults).toEqual([])
  // The requests reach what they are meant to reach.
  for (const status of [200, 400, 401, 403, 404])
    expect(statuses.get(status), String(status)).toBeGreaterThan(0)
})

function describe({ method, path, headers, body }: FuzzedRequest): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${body?.toString('latin1').slice(0, 500) ?? ''}`
}

/** The status, once the answer is complete; a stream of events is ended by the client, except for HEAD. */
function send(
  url: string,
  { method, path, headers, body }: FuzzedRequest,
  agent: Agent,
): Promise<number | 'hangs' | 'broken'> {
  return new Promise((resolve) => {
    const sent = request(`${url}/api/v1${path}`, { method, headers, agent }, (response) => {
      const status = response.statusCode ?? 0
      if (method !== 'HEAD' && response.headers['content-type'] === 'text/event-stream') {
        sent.destroy()
        return resolve(status)
      }
      response.on('data', () => {}).on('end', () => resolve(status))
    })
    sent.setTimeout(15_000, () => {
      resolve('hangs')
      sent.destroy()
    })
    sent.on('error', () => resolve('broken')).end(body)
  })
}
