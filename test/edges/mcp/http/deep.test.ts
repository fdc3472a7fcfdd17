import { expect, test } from 'vitest'
import { call, openServer } from './open-server.js'
import { events, modern, open, openSession, post } from './wire.js'

const unwritable = { code: -32_603, message: expect.stringContaining('nested too deeply') }

test('only an answer that cannot be written becomes an error', async () => {
  const { url } = await openServer()
  const session = await openSession(url, '2025-03-26')
  for (const name of ['deep', 'deep_refusal'])
    expect((await post(url, call(name, {}, 5), session)).body).toMatchObject({ id: 5, error: unwritable })
  const batch = [call('echo', { text: 'a' }, 1), call('deep', {}, 2), call('echo', { text: 'b' }, 3)]
  expect((await post(url, batch, session)).body).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: 1, result: { content: [{ type: 'text', text: 'a' }] } }),
      expect.objectContaining({ id: 2, error: unwritable }),
      expect.objectContaining({ id: 3, result: { content: [{ type: 'text', text: 'b' }] } }),
    ]),
  )
  expect((await modern(url, 'tools/call', { name: 'deep' })).body).toMatchObject({ error: unwritable })
  expect((await post(url, call('echo'), session)).status).toBe(200)
})

test('a notification that cannot be written is dropped, and the answer is sent', async () => {
  const { url, gateway } = await openServer()
  const session = await openSession(url)
  expect((await post(url, call('deep_notice', {}, 1), session)).body).toContain('"text":"told"')
  expect((await modern(url, 'tools/call', { name: 'deep_notice' })).body).toContain('"text":"told"')
  let data: unknown = []
  for (let level = 0; level < 50_000; level += 1) data = [data]
  gateway.announce('notifications/message', { data })
  expect((await post(url, call('echo'), session)).status).toBe(200)
})

test('the two-path transport of 2024-11-05 does the same', async () => {
  const { server } = await openServer()
  const response = await open(`${server.url}/sse`, {
    method: 'GET',
    headers: { accept: 'text/event-stream' },
  })
  const seen = events(response)
  const url = server.url + (await seen.next()).value!.data
  for (const [id, name] of ['deep_notice', 'deep', 'echo'].entries()) await post(url, call(name, {}, id))
  const answers = []
  for (let count = 0; count < 3; count += 1) answers.push(JSON.parse((await seen.next()).value!.data))
  expect(answers).toMatchObject([
    { id: 0, result: {} },
    { id: 1, error: unwritable },
    { id: 2, result: {} },
  ])
  response.destroy()
})
