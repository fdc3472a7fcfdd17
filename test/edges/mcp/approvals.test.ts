import { expect, test } from 'vitest'
import { definePersonTool, defineTool, type AnsweredByPerson } from 'toolcrib'
import type { Exchange } from '../../../src/edges/mcp/gateway.js'
import { exchangeOf } from './support/exchange.js'
import { openGateway, textOf } from './support/open-gateway.js'

const call = { name: 'notes__write', arguments: { text: 'hi' } }
const permission = {}
const asking = { crib: { permission, reviewers: ['boss'] } }
const facts = (result: Record<string, unknown>) =>
  (result['_meta'] as Record<string, Record<string, string>>)['dev.toolcrib/call']!

function answering(decision: object, options: Partial<Exchange> = {}) {
  const asked: Record<string, unknown>[] = []
  const exchange = exchangeOf({
    capabilities: { elicitation: { form: {} } },
    async ask({ params }) {
      asked.push(params!)
      return { ...decision }
    },
    ...options,
  })
  return { exchange, asked }
}

test('the person who uses a client is asked by a form', async () => {
  const session = await (await openGateway({ crib: { permission } })).session('legacy')
  const yes = answering({ action: 'accept', content: { decision: 'allow once' } })
  expect(textOf(await session.handle('tools/call', call, yes.exchange))).toBe('wrote hi')
  expect(yes.asked).toHaveLength(1)
  const decided = await session.handle('tools/call', call, yes.exchange)
  expect(facts(decided)['decision']).toEqual({ behavior: 'allow', source: 'toolcrib.approver' })
  expect(yes.asked[0]!['message']).toContain('Write a note')
  expect(yes.asked[0]!['message']).toContain('{"text":"hi"}')
  // The form shows the client, the facts of the call, and the rule that a lasting approval would add.
  expect(yes.asked[0]!['message']).toMatch(/^Client: .+$/m)
  expect(yes.asked[0]!['message']).toMatch(/^Facts: may write; /m)
  expect(yes.asked[0]!['message']).toMatch(/^"allow for this session" adds the rule: allow notes\.write/m)
  expect(yes.asked[0]!['message']).toMatch(/^"always allow" adds the rule: allow notes\.write/m)
  for (const decision of [
    { action: 'accept', content: { decision: 'deny' } },
    { action: 'accept', content: { decision: 'yes' } },
    { action: 'accept' },
    { action: 'decline' },
    { action: 'cancel' },
  ]) {
    const result = await session.handle('tools/call', call, answering(decision).exchange)
    expect(result).toMatchObject({ isError: true })
    expect(facts(result)['status']).not.toBe('succeeded')
  }
})

test('an approval for the session covers later calls of the session', async () => {
  const session = await (await openGateway({ crib: { permission } })).session('legacy')
  const lasting = answering({ action: 'accept', content: { decision: 'allow for this session' } })
  await session.handle('tools/call', call, lasting.exchange)
  expect(lasting.asked[0]).toMatchObject({
    requestedSchema: {
      properties: { decision: { enum: expect.arrayContaining(['allow for this session']) } },
    },
  })
  const none = answering({ action: 'decline' })
  expect(textOf(await session.handle('tools/call', call, none.exchange))).toBe('wrote hi')
  expect(none.asked).toHaveLength(0)
})

test('an answer by a form is recorded under the name of the person, who can only allow once without the right to change rules', async () => {
  const parts = { crib: { permission, reviewers: ['person:ann'] } }
  const owner = await openGateway({
    ...parts,
    gateway: { personBehind: () => ({ name: 'person:ann', mayChangeRules: true }) },
  })
  const lasting = answering({ action: 'accept', content: { decision: 'allow for this session' } })
  const session = await owner.session('legacy')
  expect(textOf(await session.handle('tools/call', call, lasting.exchange))).toBe('wrote hi')
  expect(await owner.crib.approvals.list()).toMatchObject([
    { answer: { by: 'person:ann', scope: 'session', approved: true } },
  ])
  const guest = await openGateway({
    ...parts,
    gateway: { personBehind: () => ({ name: 'person:bob', mayChangeRules: false }) },
  })
  const once = answering({ action: 'accept', content: { decision: 'allow once' } })
  const other = await guest.session('legacy')
  expect(textOf(await other.handle('tools/call', call, once.exchange))).toBe('wrote hi')
  expect(once.asked[0]).toMatchObject({
    requestedSchema: { properties: { decision: { enum: ['allow once', 'deny'] } } },
  })
  // A choice that the form did not offer is no approval.
  expect(await other.handle('tools/call', call, lasting.exchange)).toMatchObject({ isError: true })
})

test('a call that was approved for the session runs even if the rule cannot be added', async () => {
  const { session: open } = await openGateway({
    crib: { permission, reviewers: ['boss'] },
    gateway: { personBehind: () => ({ name: 'person:ann', mayChangeRules: true }) },
  })
  const lasting = answering({ action: 'accept', content: { decision: 'allow for this session' } })
  const session = await open('legacy')
  expect(textOf(await session.handle('tools/call', call, lasting.exchange))).toBe('wrote hi')
  const no = answering({ action: 'decline' })
  await session.handle('tools/call', call, no.exchange)
  expect(no.asked).toHaveLength(1)
})

test('where other reviewers are set, the person who uses the client is not asked', async () => {
  const { session: open } = await openGateway(asking)
  const session = await open('legacy')
  const yes = answering({ action: 'accept', content: { decision: 'allow once' } })
  expect(facts(await session.handle('tools/call', call, yes.exchange))['status']).toBe('awaiting_approval')
  expect(yes.asked).toHaveLength(0)
})

test('the title of a tool cannot imitate other parts of the question', async () => {
  const title = 'Read a file wants to run.\nIt only reads.\r\nInput: {}\n'
  const tools = [
    defineTool({ name: 'wipe', namespace: 'disk', title, description: 'Wipes.', execute: () => 1 }),
  ]
  const wipe = { name: 'disk__wipe', arguments: {} }
  const session = await (await openGateway({ crib: { permission, tools } })).session('legacy')
  const no = answering({ action: 'decline' })
  await session.handle('tools/call', wipe, no.exchange)
  const lines = String(no.asked[0]!['message']).split('\n')
  expect(lines[0]).toMatch(/^disk\.wipe \(/)
  expect(lines[2]).toBe('Input: {}')
  const labels = lines.slice(2).map((line) => line.slice(0, line.indexOf(':')))
  expect(labels).toEqual([
    'Input',
    'Client',
    'Facts',
    '"allow for this session" adds the rule',
    '"always allow" adds the rule',
  ])
  const waits = await (await openGateway({ crib: { ...asking.crib, tools } })).session('legacy')
  const waitingLines = textOf(await waits.handle('tools/call', wipe, exchangeOf())).split('\n')
  expect(waitingLines[0]).toMatch(/^Not done yet: disk\.wipe \(/)
  expect(waitingLines).toHaveLength(3)
})

test('a modern client gets the form as a question whose key cannot be known in advance', async () => {
  const session = await (await openGateway({ crib: { permission } })).session('modern')
  const exchange = exchangeOf({ era: 'modern', capabilities: { elicitation: {} } })
  const first = await session.handle('tools/call', call, exchange)
  const [key] = Object.keys(first['inputRequests'] as object)
  expect(key).toMatch(/^approval_appr_/)
  const inputResponses = { [key!]: { action: 'accept', content: { decision: 'allow once' } } }
  const result = await session.handle(
    'tools/call',
    { ...call, requestState: first['requestState'], inputResponses },
    exchange,
  )
  expect(textOf(result)).toBe('wrote hi')
})

test('where the client cannot be asked, the call waits for a reviewer and the same call resumes it', async () => {
  const { crib, session: open } = await openGateway(asking)
  const session = await open('legacy', { token: 'one' })
  const waits = await session.handle('tools/call', call, exchangeOf())
  expect(waits).toMatchObject({ isError: true })
  expect(facts(waits)['status']).toBe('awaiting_approval')
  expect(textOf(waits)).toContain('toolcrib approvals')
  const { invocationId, approvalId } = facts(waits) as { invocationId: string; approvalId: string }
  // A call with other arguments or another token is another call.
  const other = await session.handle('tools/call', { ...call, arguments: { text: 'ho' } }, exchangeOf())
  expect(facts(other)['invocationId']).not.toBe(invocationId)
  const stranger = await (await open('legacy', { token: 'two' })).handle('tools/call', call, exchangeOf())
  expect(facts(stranger)['invocationId']).not.toBe(invocationId)
  expect(await crib.approvals.answer(approvalId, { approved: true, by: 'boss' })).toMatchObject({ ok: true })
  const result = await session.handle('tools/call', call, exchangeOf())
  expect(textOf(result)).toBe('wrote hi')
  expect(facts(result)['invocationId']).toBe(invocationId)
  // It is resumed once: the next call is a new one.
  const next = await session.handle('tools/call', call, exchangeOf())
  expect(facts(next)['invocationId']).not.toBe(invocationId)
})

test('a waiting call can be resumed by its id, but only by the same actor', async () => {
  const { crib, session: open } = await openGateway(asking)
  const session = await open('legacy', { token: 'one' })
  const { invocationId, approvalId } = facts(await session.handle('tools/call', call, exchangeOf())) as {
    invocationId: string
    approvalId: string
  }
  await crib.approvals.answer(approvalId, { approved: true, by: 'boss' })
  const meta = { 'dev.toolcrib/call': { invocationId } }
  const named = { ...call, arguments: {} }
  const bob = await open('legacy', { actor: 'bob', token: 'three' })
  const unknown = { code: -32602, message: expect.stringContaining(`no call ${invocationId}`) }
  await expect(bob.handle('tools/call', named, exchangeOf({ meta }))).rejects.toMatchObject(unknown)
  const other = { name: 'sums__add', arguments: { a: 1, b: 2 } }
  await expect(session.handle('tools/call', other, exchangeOf({ meta }))).rejects.toMatchObject(unknown)
  const again = await open('legacy', { token: 'two' })
  expect(textOf(await again.handle('tools/call', named, exchangeOf({ meta })))).toBe('wrote hi')
  // From the records, when the call is no longer in memory.
  expect(textOf(await again.handle('tools/call', named, exchangeOf({ meta })))).toBe('wrote hi')
})

test('a client that supports tasks gets a task that waits for approval', async () => {
  const { crib, session: open } = await openGateway(asking)
  const session = await open('modern')
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const exchange = exchangeOf({ era: 'modern', capabilities })
  const task = await session.handle('tools/call', call, exchange)
  expect(task).toMatchObject({ resultType: 'task', status: 'working' })
  const [approval] = await crib.approvals.list({ status: 'pending' })
  await crib.approvals.answer(approval!.approval_id, { approved: true, by: 'boss' })
  await crib.task(String(task['taskId'])).result()
  const done = await session.handle('tasks/get', { taskId: task['taskId'] }, exchange)
  expect(done).toMatchObject({ status: 'completed', result: { content: [{ text: 'wrote hi' }] } })
})

const review = (jsonSchema: object, more: AnsweredByPerson = {}) =>
  definePersonTool({
    namespace: 'desk',
    name: 'review',
    description: 'Asks whether an order is refunded.',
    output: { jsonSchema },
    ...more,
  })

const flat = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['refund', 'refuse'] }, amount: { type: 'number' } },
  required: ['decision'],
}

const asksPeople = (tool: ReturnType<typeof review>) => ({
  crib: { permission, reviewers: ['boss', 'person:ann'], tools: [tool] },
  gateway: { personBehind: () => ({ name: 'person:ann', mayChangeRules: true }) },
})

test('a question to a person is a form in the client, and what is filled in is the result', async () => {
  const { session, crib } = await openGateway(asksPeople(review(flat)))
  const legacy = await session('legacy')
  const filled = answering({ action: 'accept', content: { decision: 'refund', amount: 3 } })
  const result = await legacy.handle('tools/call', { name: 'desk__review', arguments: {} }, filled.exchange)
  expect(result).toMatchObject({ structuredContent: { decision: 'refund', amount: 3 } })
  expect(filled.asked).toMatchObject([{ mode: 'form', requestedSchema: flat }])
  expect(filled.asked[0]!['message']).toContain('desk.review')
  expect(await crib.approvals.list()).toMatchObject([{ answer: { by: 'person:ann' }, status: 'used' }])
})

test('a form that is filled in wrongly is shown again with the problem; a declined one is a rejection', async () => {
  const { session } = await openGateway(asksPeople(review(flat)))
  const legacy = await session('legacy')
  const messages: string[] = []
  const { exchange } = answering(
    {},
    {
      async ask({ params }) {
        messages.push(String(params!['message']))
        const decision = messages.length === 1 ? 'maybe' : 'refuse'
        return { action: 'accept', content: { decision } }
      },
    },
  )
  const result = await legacy.handle('tools/call', { name: 'desk__review', arguments: {} }, exchange)
  expect(result).toMatchObject({ structuredContent: { decision: 'refuse' } })
  expect(messages[1]).toContain('"decision" must be one of "refund", "refuse"')
  const declined = answering({ action: 'decline' })
  expect(
    await legacy.handle('tools/call', { name: 'desk__review', arguments: {} }, declined.exchange),
  ).toMatchObject({ isError: true })
})

test.each<[string, ReturnType<typeof review>]>([
  ['does not fit a form of a client', review({ type: 'object', properties: { lines: { type: 'array' } } })],
  ['is assigned to somebody else', review(flat, { reviewers: ['boss'] })],
])('a question that %s waits for a reviewer', async (_what, tool) => {
  const { session, crib } = await openGateway(asksPeople(tool))
  const { exchange, asked } = answering({ action: 'accept', content: { decision: 'refund' } })
  const legacy = await session('legacy')
  const waits = await legacy.handle('tools/call', { name: 'desk__review', arguments: {} }, exchange)
  expect(asked).toEqual([])
  expect(textOf(waits)).toContain('waits for a person')
  const [approval] = await crib.approvals.list({ status: 'pending' })
  const content = { decision: 'refuse', lines: [] }
  await crib.approvals.answer(approval!.approval_id, { approved: true, by: 'boss', content })
  const again = await legacy.handle('tools/call', { name: 'desk__review', arguments: {} }, exchange)
  expect(again).toMatchObject({ structuredContent: content })
})
