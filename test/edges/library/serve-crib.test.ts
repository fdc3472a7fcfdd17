import { expect, it, onTestFinished } from 'vitest'
import { createCrib, defineTool, memoryStore } from '../../../src/index.js'
import { serveCrib } from '../../../src/server.js'

const send = defineTool({
  namespace: 'mail',
  name: 'send',
  description: 'Sends a mail.',
  input: { jsonSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } },
  execute: async ({ to }: { to: string }) => ({ sent: to }),
})

async function asJson(response: Promise<Response>): Promise<Record<string, never>> {
  return (await (await response).json()) as Record<string, never>
}

it('serves a crib of a program: an agent calls, the owner follows the link and approves', async () => {
  const crib = await createCrib({ tools: [send], store: memoryStore(), reviewers: ['person:ana'] })
  const token = 'a-token-of-the-agent'
  const server = await serveCrib({
    crib,
    owner: 'ana',
    tokens: [{ actor: 'agent', roles: ['caller'], token }],
  })
  onTestFinished(async () => {
    await server.close()
    await crib.close({ graceMs: 0 })
  })
  const json = { 'content-type': 'application/json' }
  const agent = { ...json, authorization: `Bearer ${token}` }
  const called = await asJson(
    fetch(`${server.url}/api/v1/calls`, {
      method: 'POST',
      headers: agent,
      body: JSON.stringify({ tool: 'mail.send', input: { to: 'bo' } }),
    }),
  )
  const login = await fetch(`${server.url}/api/v1/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ login_code: new URL(server.consoleUrl).hash.slice('#code='.length) }),
  })
  const { csrf_token: csrf } = (await login.json()) as { csrf_token: string }
  const person = { ...json, cookie: login.headers.getSetCookie()[0]!.split(';')[0]!, 'x-csrf-token': csrf }
  const answer = `${server.url}/api/v1/approvals/${called['approval_id']}/answer`
  const body = JSON.stringify({ approved: true })
  expect((await fetch(answer, { method: 'POST', headers: agent, body })).status).toBe(403)
  expect((await fetch(answer, { method: 'POST', headers: person, body })).status).toBe(200)
  await expect
    .poll(
      () => asJson(fetch(`${server.url}/api/v1/invocations/${called['invocation_id']}`, { headers: agent })),
      {
        timeout: 20_000,
      },
    )
    .toMatchObject({ result: { structured_content: { sent: 'bo' } } })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers: json, body: '{}' })).status).toBe(401)
})
