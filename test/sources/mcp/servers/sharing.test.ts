import { expect, test } from 'vitest'
import type { ClientLink } from '../../../../src/catalog/client-link.js'
import { callOf, oddServer, openWith, textOf, until } from './start-servers.js'

const pidOf = (text: string): string => text.split(' ').at(-1)!

function clientOf(name: string): ClientLink {
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

/** Whoever is asked learns which server asks. */
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

test('a server that asks while several sessions wait gives nobody away, and each session its own process then', async () => {
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

test('a tool that has to be a task is followed to its result', async () => {
  const { crib, servers } = await openWith({ odd: oddServer('--tasks', 'yes') })
  expect(textOf(await callOf(crib, 'mcp.odd.work', { do: 'wait', ms: 200 }))).toBe('waited')
  const controller = new AbortController()
  const hanging = callOf(crib, 'mcp.odd.work', { do: 'hang' }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 300)
  // The server answers that its task is cancelled: that is a confirmation.
  expect(await hanging).toMatchObject({ status: 'canceled', error: { error_code: 'toolcrib.canceled' } })
  await until(() => servers.get('odd')!.stderr().includes('cancelled t2'), 'the end of the task')
})

test('a request that was cancelled or ran out of time may still have an effect: no server confirms that it stopped', async () => {
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

test('a question during a call without a client is not put to the client of somebody else', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true, share: 'all' } })
  const asked: string[] = []
  const ann: ClientLink = {
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

test('a session with several links is asked only for what its client can do', async () => {
  const { crib } = await openWith({ odd: { ...oddServer(), trusted: true } })
  const unable = (): ClientLink => ({ ...clientOf('ann'), capabilities: {} })
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
