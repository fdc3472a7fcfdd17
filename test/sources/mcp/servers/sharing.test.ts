import { expect, test, vi } from 'vitest'
import type { ClientLink } from 'toolcrib'
import { toClientLink } from '../../../../src/sources/mcp/mcp-client-link.js'
import type { McpClient, McpQuestion } from '../../../../src/sources/mcp/protocol/mcp-client.js'
import { until } from '../../../until.js'
import { callOf, oddServer, openWith, textOf } from './start-servers.js'

const pidOf = (text: string): string => text.split(' ').at(-1)!

function clientOf(name: string): McpClient {
  return {
    capabilities: { elicitation: {} },
    ask: async (questions) =>
      Object.fromEntries(
        Object.entries(questions).map(([key, { params }]) => [
          key,
          { action: 'accept', content: { name, message: params!['message'] } },
        ]),
      ),
    notify() {},
    wantsProgress: false,
  }
}

test('sessions share one process unless the settings say otherwise', async () => {
  const { crib, servers } = await openWith({ all: oddServer(), own: { ...oddServer(), share: 'session' } })
  const shared = [
    textOf(await callOf(crib, 'mcp.all.work', {}, { session: 'a' })),
    textOf(await callOf(crib, 'mcp.all.work', {}, { session: 'b' })),
  ]
  expect(pidOf(shared[0]!)).toBe(pidOf(shared[1]!))
  const a = textOf(await callOf(crib, 'mcp.own.work', {}, { session: 'a' }))
  const b = textOf(await callOf(crib, 'mcp.own.work', {}, { session: 'b' }))
  expect(pidOf(a)).not.toBe(pidOf(b))
  const again = textOf(await callOf(crib, 'mcp.own.work', {}, { session: 'a' }))
  expect(again).toBe(`call 2 of ${pidOf(a)}`)
  await servers.get('own')!.leave('a')
  expect(() => process.kill(Number(pidOf(a)), 0)).toThrow('ESRCH')
  expect(textOf(await callOf(crib, 'mcp.own.work', {}, { session: 'b' }))).toBe(`call 2 of ${pidOf(b)}`)
})

test('a crib that closes lets the calls of its servers end before it closes the connections', async () => {
  const { crib } = await openWith({ odd: oddServer() })
  await callOf(crib, 'mcp.odd.work')
  const surface = await crib.surface({ scope: 'session', session: 's1' })
  const slow = crib.call(surface, { name: 'mcp.odd.work', input: { do: 'wait', ms: 300 } })
  await crib.close()
  expect(textOf(await slow)).toBe('waited')
})

/** A question names the server that asks. */
const ASKS = 'The server "odd" asks:\n'

test('a question goes to the client of the call', async () => {
  const { crib } = await openWith({ odd: oddServer() })
  const result = await callOf(
    crib,
    'mcp.odd.work',
    { do: 'ask', message: 'who?' },
    { client: clientOf('ann') },
  )
  expect(JSON.parse(textOf(result))).toEqual({
    action: 'accept',
    content: { name: 'ann', message: `${ASKS}who?` },
  })
})

test('a question during calls of several sessions is refused, and each session gets its own process then', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true } })
  const inSession = (session: string, given: Record<string, unknown>) =>
    callOf(crib, 'mcp.odd.work', given, { session, client: clientOf(session) })
  const first = pidOf(textOf(await inSession('a', {})))
  const slow = inSession('b', { do: 'wait', ms: 500 })
  const asked = await inSession('a', { do: 'ask', message: 'whose?' })
  expect(textOf(asked)).toContain('error')
  expect(textOf(asked)).toContain('several sessions')
  await slow
  const [a, b] = await Promise.all([
    inSession('a', { do: 'ask', message: 'a?' }),
    inSession('b', { do: 'ask', message: 'b?' }),
  ])
  expect(JSON.parse(textOf(a)).content).toEqual({ name: 'a', message: `${ASKS}a?` })
  expect(JSON.parse(textOf(b)).content).toEqual({ name: 'b', message: `${ASKS}b?` })
  expect(pidOf(textOf(await inSession('a', {})))).not.toBe(first)
})

test('a tool that must run as a task is followed to its result', async () => {
  const { crib, servers } = await openWith({ odd: oddServer('--tasks', 'yes') })
  expect(textOf(await callOf(crib, 'mcp.odd.work', { do: 'wait', ms: 200 }))).toBe('waited')
  const controller = new AbortController()
  const hanging = callOf(crib, 'mcp.odd.work', { do: 'hang' }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 300)
  // The server reports its task as cancelled: that is a confirmation.
  expect(await hanging).toMatchObject({ status: 'canceled', error: { error_code: 'toolcrib.canceled' } })
  await until(() => servers.get('odd')!.stderr().includes('cancelled t2'), 'the end of the task')
})

test('a cancelled or timed out request may still have an effect: no server confirms that it stopped', async () => {
  const { crib } = await openWith({ odd: oddServer() })
  const surface = await crib.surface({ scope: 'turn' })
  const canceled = crib.call(surface, { name: 'mcp.odd.work', input: { do: 'hang' } })
  await until(async () => (await crib.invocation(canceled.invocationId))?.status === 'running', 'its start')
  setTimeout(() => canceled.cancel(), 300)
  const result = await canceled
  expect(result).toMatchObject({
    status: 'canceled',
    error: { error_code: 'toolcrib.cancel_failed', toolcrib: { retry: { safe: false } } },
  })
  expect(JSON.stringify(result)).toMatch(/may still have an effect/)
  expect(JSON.stringify(result)).not.toMatch(/was stopped|started again/)
  const late = crib.call(surface, { name: 'mcp.odd.work', input: { do: 'hang' }, timeoutMs: 50 })
  expect((await late).error!.message).toMatch(/was given up; it may still have an effect/)
  for (const { invocationId } of [canceled, late]) {
    const invocation = await crib.invocation(invocationId)
    expect(invocation).toHaveProperty('cancel_failed', true)
    expect(invocation).not.toHaveProperty('cancel_acknowledged')
  }
})

test('a question during a call without a client is not put to another call’s client', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true, share: 'all' } })
  const asked: string[] = []
  const ann: McpClient = {
    ...clientOf('ann'),
    async ask(questions) {
      asked.push(...Object.keys(questions))
      return {}
    },
  }
  const slow = callOf(crib, 'mcp.odd.work', { do: 'wait', ms: 500 }, { session: 'a', client: ann })
  await until(async () => {
    const other = await callOf(crib, 'mcp.odd.work', { do: 'ask', message: 'who?' }, { session: 'b' })
    return textOf(other).includes('several sessions')
  }, 'a refusal')
  await slow
  expect(asked).toEqual([])
})

test('a session with several links is asked only for what its client supports', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true } })
  const unable = (): McpClient => ({ ...clientOf('ann'), capabilities: {} })
  const slow = callOf(crib, 'mcp.odd.work', { do: 'wait', ms: 300 }, { session: 'a', client: unable() })
  const asked = await callOf(
    crib,
    'mcp.odd.work',
    { do: 'ask', message: 'who?' },
    { session: 'a', client: unable() },
  )
  expect(textOf(asked)).toContain('it has no elicitation')
  await slow
})

/** A caller of another protocol. */
const neutral = (
  abilities: Partial<ClientLink['abilities']>,
): ClientLink & { asked: unknown[]; told: unknown[] } => {
  const asked: unknown[] = []
  const told: unknown[] = []
  return {
    asked,
    told,
    abilities: { form: false, link: false, sampling: false, roots: false, ...abilities },
    wantsProgress: true,
    tell: (note) => void told.push(note),
    async ask(questions) {
      asked.push(...Object.values(questions))
      return Object.fromEntries(
        Object.keys(questions).map((key) => [
          key,
          { kind: 'form', action: 'accept', content: { name: 'Ann' } },
        ]),
      )
    },
  }
}

test('a server asks a caller without MCP through the neutral link', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true } })
  const surface = await crib.surface({ scope: 'session', session: 'a' })
  const ask = (client: ClientLink) =>
    crib.call(surface, { name: 'mcp.odd.work', input: { do: 'ask', message: 'who?' }, client })
  const able = neutral({ form: true })
  expect(textOf(await ask(able))).toContain('Ann')
  expect(able.asked).toMatchObject([{ kind: 'form', message: 'The server "odd" asks:\nwho?' }])
  expect(textOf(await ask(neutral({})))).toContain('it has no elicitation')
})

test('every neutral question maps to one of the protocol, and its answer comes back', async () => {
  const asked: McpQuestion[] = []
  const answers: Record<string, Record<string, unknown>> = {
    form: { action: 'accept', content: { a: 1 } },
    link: { action: 'decline' },
    sampling: { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' },
    roots: { roots: [{ uri: 'file:///a', name: 'a' }, { name: 'without an address' }] },
    odd: { action: 'perhaps' },
  }
  const notify = vi.fn()
  const link = toClientLink({
    capabilities: { elicitation: { url: {} }, sampling: {} },
    wantsProgress: true,
    notify,
    async ask(questions) {
      asked.push(...Object.values(questions))
      return Object.fromEntries(Object.keys(questions).map((key) => [key, answers[key]!]))
    },
  })
  expect(link.abilities).toEqual({ form: false, link: true, sampling: true, roots: false })
  const schema = { type: 'object' }
  const text = { type: 'text', text: 'Hello' } as const
  const said = await link.ask(
    {
      form: { kind: 'form', message: 'Who?', schema },
      link: { kind: 'link', message: 'Open it.', url: 'https://a.test/', id: 'e1' },
      sampling: { kind: 'sampling', messages: [{ role: 'user', content: text }], system: 'Be short.' },
      roots: { kind: 'roots' },
      odd: { kind: 'form', message: 'Who?', schema },
    },
    new AbortController().signal,
  )
  expect(asked.slice(0, 4)).toEqual([
    { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: schema } },
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Open it.', url: 'https://a.test/', elicitationId: 'e1' },
    },
    {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: text }], systemPrompt: 'Be short.', maxTokens: 1024 },
    },
    { method: 'roots/list' },
  ])
  expect(said).toEqual({
    form: { kind: 'form', action: 'accept', content: { a: 1 } },
    link: { kind: 'link', action: 'decline' },
    sampling: { kind: 'sampling', role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' },
    roots: { kind: 'roots', roots: [{ uri: 'file:///a', name: 'a' }] },
    odd: { kind: 'form', action: 'cancel' },
  })
  link.tell({ kind: 'progress', progress: 1, total: 2 })
  link.tell({ kind: 'log', level: 'info', data: 'x' })
  expect(notify.mock.calls).toEqual([
    ['notifications/progress', { progress: 1, total: 2 }],
    ['notifications/message', { level: 'info', data: 'x' }],
  ])
})
