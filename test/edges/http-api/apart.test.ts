import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { defineTool, toolOutput } from '../../../src/index.js'
import { openApi, tokenOf } from './support/open-api.js'

const remove = defineTool({
  namespace: 'disk',
  name: 'remove',
  description: 'Remove a file.',
  input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  isReadOnly: false,
  isDestructive: true,
  execute: async ({ path }: { path: string }) => ({ removed: path }),
})

const CALL = { tool: 'disk.remove', input: { path: '/a' } }

it('what a person allows for a session is not there for another caller that knows its name', async () => {
  const { ask, crib } = await openApi({ tools: [remove] })
  const { body } = await ask('agent', 'POST', '/calls', { body: { ...CALL, session: 'work' } })
  const { approval_id: id } = body as { approval_id: string }
  const answer = { approved: true, scope: 'session', update: 1 }
  expect((await ask('reviewer', 'POST', `/approvals/${id}/answer`, { body: answer })).status).toBe(200)
  const again = await ask('agent', 'POST', '/calls', { body: { ...CALL, session: 'work' } })
  expect(again.body).toMatchObject({ status: 'succeeded' })

  for (const path of ['/calls', '/surfaces'])
    expect(
      await ask('other-agent', 'POST', path, {
        body: path === '/calls' ? { ...CALL, session: 'work' } : { session: 'work' },
      }),
    ).toMatchObject({ status: 409, body: { detail: expect.stringContaining('belongs to another caller') } })

  // A session that a program opened, and not the API.
  const surface = await crib.surface({ actor: 'agent', session: 'elsewhere-opened', scope: 'session' })
  await crib.call(surface, { name: 'disk.remove', input: {} })
  const taken = await ask('other-agent', 'POST', '/surfaces', { body: { session: 'elsewhere-opened' } })
  expect(taken.status).toBe(409)
})

it('the id of a call does not tell the ids of other calls', async () => {
  const { ask } = await openApi({ tools: [remove] })
  const idOf = async (as: string) => {
    const { body } = await ask(as, 'POST', '/calls', { body: { tool: 'disk.remove', input: {} } })
    return (body as { invocation_id: string }).invocation_id
  }
  const [own, other] = [await idOf('agent'), await idOf('other-agent')]
  expect(own.slice(-10)).not.toBe(other.slice(-10))
})

it('an artifact with a name that is no valid text is downloaded, and never as a page', async () => {
  const report = defineTool({
    name: 'report',
    description: 'Make a report.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () =>
      toolOutput({ artifacts: [{ name: 'x\ud800".html', mediaType: 'text/html', content: '<script>' }] }),
  })
  const { ask } = await openApi({ tools: [report] })
  expect((await ask('agent', 'POST', '/calls', { body: { tool: 'report' } })).body).toMatchObject({
    status: 'succeeded',
  })
  const { items } = (await ask('auditor', 'GET', '/artifacts')).body as { items: { artifact_id: string }[] }
  const { status, headers } = await ask('auditor', 'GET', `/artifacts/${items[0]!.artifact_id}/content`)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''x%EF%BF%BD%22.html")
  expect(headers.get('content-type')).toBe('application/octet-stream')
})

it('tells a client that its body is too large, also one that reads the answer only when all is sent', async () => {
  const { url } = await openApi({}, { maxBodyBytes: 1000 })
  const body = Buffer.alloc(8_000_000, 'x')
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(
    `POST /api/v1/calls HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokenOf('agent')}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.write(body, (error) => (error ? reject(error) : resolve()))
  })
  const [answer] = (await once(socket.resume(), 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*larger than 1000 bytes/)
})

it.each([
  ['accept', 'application/xml', 406],
  ['accept', 'application/json;q=0, image/png', 406],
  ['accept', 'application/problem+json', 200],
  ['accept', 'text/html, application/*;q=0.5', 200],
  ['accept', 'text/html, */*', 200],
  ['content-encoding', 'gzip', 415],
  ['content-encoding', 'identity', 200],
])('answers a request with %s: %s with %i', async (name, value, status) => {
  const { ask } = await openApi()
  const answer = await ask('agent', 'POST', '/surfaces', { body: {}, headers: { [name]: value } })
  expect(answer.status).toBe(status)
})
