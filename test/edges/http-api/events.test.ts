import { request, type IncomingMessage } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createParser } from 'eventsource-parser'
import type { Crib } from '../../../src/crib/crib.js'
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

async function callTimes(crib: Crib, session: string, times: number): Promise<string[]> {
  const surface = await crib.surface({ session, actor: 'agent' })
  const ids: string[] = []
  for (let at = 0; at < times; at++) {
    const call = crib.call(surface, { name: 'test.echo', input: { text: 'x'.repeat(2000) } })
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
