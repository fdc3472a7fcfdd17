import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createParser } from 'eventsource-parser'
import type { Crib } from '../../../src/crib/crib.js'
import { createEventHub } from '../../../src/edges/http-api/events/event-hub.js'
import { defineTool } from '../../../src/index.js'
import { openApi, tokenOf } from './support/open-api.js'

const echo = defineTool({
  namespace: 'test',
  name: 'echo',
  description: 'Give the text back.',
  input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  isReadOnly: true,
  isOpenWorld: false,
  execute: async ({ text }: { text: string }) => ({ text }),
})

const WAIT = { timeout: 20_000 }

interface Followed {
  readonly events: { id: string; type: string; invocation?: string }[]
  readonly response: IncomingMessage
  close(): void
}

/** A client that reads the stream of events. */
function follow(
  url: string,
  path: string,
  options: { as?: string; lastEventId?: string } = {},
): Promise<Followed> {
  const { as = 'auditor', lastEventId } = options
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${tokenOf(as)}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    const sent = request(`${url}/api/v1${path}`, { headers }, (response) => {
      const events: Followed['events'] = []
      const parser = createParser({
        onEvent({ id, data }) {
          const { event_type: type, invocation_id: invocation } = JSON.parse(data) as Record<string, string>
          events.push({ id: id!, type: type!, ...(invocation !== undefined && { invocation }) })
        },
      })
      response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk))
      response.on('error', () => {})
      resolve({ events, response, close: () => sent.destroy() })
    })
    sent.on('error', reject).end()
    onTestFinished(() => void sent.destroy())
  })
}

async function callTimes(crib: Crib, session: string, times: number, length = 2000): Promise<string[]> {
  const surface = await crib.surface({ session, actor: 'agent' })
  const ids: string[] = []
  for (let at = 0; at < times; at++) {
    const call = crib.call(surface, { name: 'test.echo', input: { text: 'ü'.repeat(length) } })
    ids.push(call.invocationId)
    await call
  }
  return ids
}

const ended = ({ events }: Followed): string[] =>
  events.flatMap(({ type, invocation }) => (type === 'tool.result.created' ? [invocation!] : []))

it('gives each listener every event of its filter once, in order', async () => {
  const { crib, url } = await openApi({ tools: [echo] })
  const all = await follow(url, '/events')
  const some = await follow(url, '/events?session=one')
  const own = await follow(url, '/events', { as: 'other-agent' })
  const one = await callTimes(crib, 'one', 30)
  const two = await callTimes(crib, 'two', 30)
  await expect.poll(() => ended(all), WAIT).toEqual([...one, ...two])
  await expect.poll(() => ended(some), WAIT).toEqual(one)
  expect(new Set(all.events.map(({ id }) => id)).size).toBe(all.events.length)
  expect(own.events).toEqual([])
})

it('goes on after the last event that a client got', async () => {
  const { crib, url } = await openApi({ tools: [echo] })
  const first = await follow(url, '/events?types=tool.result.*')
  const before = await callTimes(crib, 'one', 10)
  await expect.poll(() => ended(first), WAIT).toEqual(before)
  first.close()
  const missed = await callTimes(crib, 'one', 10)
  const second = await follow(url, '/events?types=tool.result.*', { lastEventId: first.events.at(-1)!.id })
  const after = await callTimes(crib, 'one', 10)
  await expect.poll(() => ended(second), WAIT).toEqual([...missed, ...after])
})

it('lets a slow client catch up from the store', async () => {
  const { crib, url } = await openApi({ tools: [echo] })
  // From the start: the tools are written to the log while the clients connect.
  const slow = await follow(url, '/events?from=start')
  const fast = await follow(url, '/events?from=start')
  slow.response.pause()
  const ids = await callTimes(crib, 'one', 1500)
  await expect.poll(() => ended(fast).length, WAIT).toBe(ids.length)
  expect(slow.events.length).toBeLessThan(fast.events.length)
  slow.response.resume()
  await expect.poll(() => ended(slow), WAIT).toEqual(ids)
  expect(slow.events).toEqual(fast.events)
})

it('gives a client whose cursor is beyond the end of the log the events from now on, and the others all of theirs', async () => {
  const { crib, url, ask } = await openApi({ tools: [echo] })
  const ahead = await follow(url, '/events?from=pzzzzzzzzzzz&types=tool.result.*')
  const restored = await follow(url, '/events?types=tool.result.*', { lastEventId: 'pzzzzzzzzzz' })
  const plain = await follow(url, '/events?types=tool.result.*')
  const page = await ask('auditor', 'GET', '/events?from=pzzzzzzzzzzz')
  const { items, next_cursor: cursor } = page.body as { items: unknown[]; next_cursor: string }
  expect(items).toEqual([])
  const ids = await callTimes(crib, 'one', 3)
  for (const each of [ahead, restored, plain]) await expect.poll(() => ended(each), WAIT).toEqual(ids)
  const next = await ask('auditor', 'GET', `/events?from=${cursor}&types=tool.result.created`)
  expect((next.body as { items: unknown[] }).items).toHaveLength(3)
  const later = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    const ofLibrary = crib.events({ from: 'pzzzzzzzzzzz', follow: true, signal: later.signal })
    for await (const { event_type: type } of ofLibrary) seen.push(type)
  })()
  await expect
    .poll(async () => (await callTimes(crib, 'one', 1)) && seen, WAIT)
    .toContain('tool.result.created')
  later.abort()
  await reading
})

it('lets little wait for a client that does not read', async () => {
  const { crib } = await openApi({ tools: [echo] })
  const hub = createEventHub({ store: crib.store, report: () => {} })
  let served: ServerResponse | undefined
  const identity = { caller: { actor: 'auditor', roles: [] }, key: 'k', binding: 'b' }
  const server = createServer((_, response) =>
    hub.stream((served = response), { tenant: 'default', after: 0, filter: {}, identity }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    hub.close()
    server.closeAllConnections()
    server.close()
  })
  const sent = request({ port: (server.address() as AddressInfo).port, agent: false })
  const response = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve).end())
  response.on('error', () => {}).pause()
  let most = 0
  for (let round = 0; round < 8; round++) {
    await callTimes(crib, 'one', 20, 40_000)
    most = Math.max(most, served!.writableLength)
  }
  // One event more than 256 KB.
  expect(most).toBeLessThan(400_000)
  expect(most).toBeGreaterThan(0)
})

it('limits the streams of one caller', async () => {
  const { url, ask } = await openApi({ tools: [echo] }, { maxStreamsPerCaller: 2 })
  const open = await Promise.all([1, 2, 3, 4].map(() => follow(url, '/events')))
  const statuses = open.map(({ response }) => response.statusCode)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  const headers = { accept: 'text/event-stream' }
  const refused = await ask('auditor', 'GET', '/events', { headers })
  expect(refused).toMatchObject({ status: 429, body: { error_class: 'rate_limited' } })
  expect(refused.headers.get('retry-after')).toBe('10')
  expect((await follow(url, '/events', { as: 'operator' })).response.statusCode).toBe(200)
  for (const each of open) each.close()
  await expect.poll(async () => (await follow(url, '/events')).response.statusCode, WAIT).toBe(200)
})
