import { afterEach, expect, test, vi } from 'vitest'
import type { Crib, ToolEvent } from 'toolcrib'
import { isOfClient } from '../../../src/edges/cli/record/caller-text.js'
import { storyLines } from '../../../src/edges/cli/record/story-lines.js'
import { logClients } from '../../../src/edges/cli/serve/log-clients.js'
import { createStyles } from '../../../src/edges/cli/terminal/styles.js'
import { createGateway } from '../../../src/edges/mcp/create-gateway.js'
import { exchangeOf } from './support/exchange.js'
import { openGateway, textOf } from './support/open-gateway.js'

const call = { name: 'notes__write', arguments: { text: 'hi' } }
const asking = { crib: { permission: {}, reviewers: ['boss'] } }
const facts = (result: Record<string, unknown>) =>
  (result['_meta'] as Record<string, Record<string, string>>)['dev.toolcrib/call']!

afterEach(() => vi.useRealTimers())

test('a client that repeats its waiting call and disconnects leaves the call waiting', async () => {
  const { crib, session: open } = await openGateway(asking)
  const session = await open('legacy')
  const { invocationId, approvalId } = facts(await session.handle('tools/call', call, exchangeOf()))
  const gone = new AbortController()
  const looks = session.handle('tools/call', call, exchangeOf({ signal: gone.signal }))
  gone.abort()
  await expect(looks).rejects.toMatchObject({ code: -32603 })
  expect(await crib.approvals.list({ status: 'pending' })).toHaveLength(1)
  expect(await crib.approvals.answer(approvalId!, { approved: true, by: 'boss' })).toMatchObject({ ok: true })
  const result = await session.handle('tools/call', call, exchangeOf())
  expect(facts(result)['invocationId']).toBe(invocationId)
  expect(textOf(result)).toBe('wrote hi')
})

test('a waiting call that was canceled is not resumed', async () => {
  const { crib, session: open } = await openGateway(asking)
  const session = await open('legacy')
  const { invocationId } = facts(await session.handle('tools/call', call, exchangeOf()))
  await crib.task(invocationId!).cancel()
  await crib.task(invocationId!).result()
  const next = facts(await session.handle('tools/call', call, exchangeOf()))
  expect(next['status']).toBe('awaiting_approval')
  expect(next['invocationId']).not.toBe(invocationId)
})

test('two clients that repeat the same call both get its result', async () => {
  const { crib, session: open } = await openGateway(asking)
  const [one, two] = [await open('legacy', { token: 't' }), await open('modern', { token: 't' })]
  const { invocationId, approvalId } = facts(await one.handle('tools/call', call, exchangeOf()))
  const looks = [
    one.handle('tools/call', call, exchangeOf()),
    two.handle('tools/call', call, exchangeOf({ era: 'modern' })),
  ]
  await crib.approvals.answer(approvalId!, { approved: true, by: 'boss' })
  const [first, second] = await Promise.all(looks)
  for (const result of [first!, second!]) {
    expect(textOf(result)).toBe('wrote hi')
    expect(facts(result)['invocationId']).toBe(invocationId)
  }
  expect(first).not.toHaveProperty('resultType')
  expect(second).toMatchObject({ resultType: 'complete' })
})

test('after a restart of the gateway, the same call with the same token resumes the waiting one', async () => {
  const { crib, gateway, session: open } = await openGateway(asking)
  const before = await open('legacy', { token: 'one' })
  const { invocationId, approvalId } = facts(await before.handle('tools/call', call, exchangeOf()))
  await gateway.close()
  const next = createGateway({ crib, surfaces: { default: {} }, info: { name: 'gateway', version: '1.0.0' } })
  const session = await next.open({ actor: 'ann', roles: ['caller'], token: 'one' }, { era: 'legacy' })
  const again = session.handle('tools/call', call, exchangeOf())
  await vi.waitFor(async () =>
    expect(await crib.approvals.list({ status: 'withdrawn' })).toMatchObject([{ tool_id: 'notes.write' }]),
  )
  expect(await crib.approvals.list({ status: 'pending' })).toMatchObject([{ approval_id: approvalId }])
  const stranger = await next.open({ actor: 'ann', roles: ['caller'], token: 'two' }, { era: 'legacy' })
  const other = facts(await stranger.handle('tools/call', call, exchangeOf()))
  expect(other['invocationId']).not.toBe(invocationId)
  await crib.approvals.answer(approvalId!, { approved: true, by: 'boss' })
  expect(facts(await again)['invocationId']).toBe(invocationId)
  expect(textOf(await again)).toBe('wrote hi')
  // Its result was fetched: the next call is new.
  const fresh = facts(await session.handle('tools/call', call, exchangeOf()))
  expect(fresh['invocationId']).not.toBe(invocationId)
  await next.close()
})

test('calls of tools that a surface does not have cannot be accessed from it', async () => {
  const { crib, session: open } = await openGateway({
    ...asking,
    gateway: { surfaces: { default: {}, sums: { include: ['sums.*'] } } },
  })
  const session = await open('legacy')
  const created = await session.handle('tools/call', { ...call, task: {} }, exchangeOf())
  const { taskId } = created['task'] as { taskId: string }
  const narrow = await open('legacy', { surface: 'sums' })
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    await expect(narrow.handle(method, { taskId }, exchangeOf())).rejects.toMatchObject({ code: -32602 })
  expect(await narrow.handle('tasks/list', {}, exchangeOf())).toEqual({ tasks: [] })
  expect(await (await open('legacy')).handle('tasks/get', { taskId }, exchangeOf())).toMatchObject({ taskId })
  await crib.task(taskId).cancel()
})

test('an approval whose form is never answered can be given by a reviewer', async () => {
  const { crib, session: open } = await openGateway({
    ...asking,
    gateway: { personBehind: () => ({ name: 'person:ann', mayChangeRules: false }) },
  })
  const session = await open('modern')
  const exchange = exchangeOf({ era: 'modern', capabilities: { elicitation: {} } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = await session.handle('tools/call', call, exchange)
  expect(first).toMatchObject({ resultType: 'input_required' })
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  vi.useRealTimers()
  const [approval] = await crib.approvals.list({ status: 'pending' })
  const { requestState } = first
  await expect(session.handle('tools/call', { ...call, requestState }, exchange)).rejects.toMatchObject({
    code: -32602,
  })
  await crib.approvals.answer(approval!.approval_id, { approved: true, by: 'boss' })
  const result = await session.handle('tools/call', call, exchange)
  expect(facts(result)['invocationId']).toBe(approval!.invocation_id)
  expect(textOf(result)).toBe('wrote hi')
})

async function eventsOf(crib: Crib, invocationId: string): Promise<ToolEvent[]> {
  const events: ToolEvent[] = []
  for await (const event of crib.events()) if (event.invocation_id === invocationId) events.push(event)
  return events
}

test('the listener gets clients and calls by the names that clients use; the question names the program', async () => {
  const printed: string[] = []
  const style = createStyles(false)
  const terminal = {
    say: (lines: string) => printed.push(...lines.split('\n')),
    sayStyle: style,
    hasReader: true,
    sayColumns: 79,
  }
  const onNews = logClients(terminal, () => new Date(2026, 0, 2, 3, 4, 5))
  const { crib, session: open } = await openGateway({ ...asking, gateway: { onEvent: onNews } })
  const session = await open('legacy')
  const clientInfo = { name: 'cursor\u001B[2J', version: '1.2' }
  session.initialize({ era: 'legacy', protocolVersion: '2025-06-18', clientInfo, capabilities: {} })
  const { approvalId } = facts(await session.handle('tools/call', call, exchangeOf()))
  const asked = await crib.approvals.get(approvalId!)
  expect(asked).toMatchObject({
    requested_by: { actor: 'ann', client: 'cursor 1.2' },
    facts: { is_read_only: false },
  })
  await crib.approvals.answer(approvalId!, { approved: true, by: 'boss' })
  await session.handle('tools/call', call, exchangeOf())
  await session.handle('tools/call', { name: 'sums__add', arguments: { a: 1 } }, exchangeOf())
  await vi.waitFor(() => expect(printed).toHaveLength(4))
  await session.close()
  await vi.waitFor(() => expect(printed).toHaveLength(5))
  for await (const invocation of crib.invocations()) {
    expect(invocation.toolcrib).toMatchObject({ client: { name: 'cursor', version: '1.2' } })
    const story = (await crib.story(invocation.invocation_id))!
    const told = storyLines(story, await eventsOf(crib, invocation.invocation_id), { style, columns: 100 })
    expect(told.join('\n')).toMatch(/actor +ann via cursor 1\.2\n/)
    expect(told.join('\n')).toMatch(/asked for as ".*" by ann via cursor 1\.2\n/)
    expect(['Cursor', 'cursor 1.2', 'claude-code'].map((name) => isOfClient(invocation, name))).toEqual([
      true,
      true,
      false,
    ])
  }
  const lines = printed.map((line) =>
    line.replace(/\d+(\.\d)? m?s/, 'N ms').replace(/cursor.*?1\.2/, 'cursor 1.2'),
  )
  expect(printed.join('')).not.toContain('\u001B')
  expect(lines).toEqual([
    '03:04:05  cursor 1.2 (ann)  connected',
    '03:04:05  cursor 1.2 (ann)  ? notes__write  waits for approval',
    '03:04:05  cursor 1.2 (ann)  ✓ notes__write  succeeded, N ms',
    expect.stringContaining('✗ sums__add  '),
    '03:04:05  cursor 1.2 (ann)  left',
  ])
})
