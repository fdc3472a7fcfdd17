import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { queueTransport } from '../build/sources/tool-file/transports/message-queue/queue-transport.js'
import { dataOf, dataSection, startServiceBus } from './service-bus-stub.mjs'
import { callContext, environment, failureOf, tool, until } from './tools.mjs'

let work = () => {}
const seen = []
const bus = await startServiceBus((queue, message) => {
  seen.push({ queue, message })
  work(message)
})
const closing = []
after(async () => {
  for (const each of closing) await each.close()
  bus.close()
})
const RESULTS = 'mail-results'
const reply = (correlation_id, value, to = RESULTS) =>
  bus.push(to, { message_id: `reply-to-${correlation_id}`, correlation_id, body: dataSection(value) })
const at = (queue) => `${bus.url}/${queue}`

function open(transport, given = {}) {
  const around = environment(given)
  const opened = queueTransport(around)
  closing.push(opened)
  const mail = opened.open(
    tool({
      type: 'message-queue',
      provider: 'azure',
      queue_url: at('mail'),
      message_format: 'json',
      timeout_ms: 10_000,
      ...transport,
    }),
  )
  return { ...around, mail, close: () => opened.close() }
}

test('[AML-FILE-09] a message is sent with the key of the call as its id, which is the result', async () => {
  const { mail } = open({})
  assert.equal(mail.missing(), undefined)
  assert.deepEqual(mail.hosts, ['127.0.0.1'])
  const context = callContext()
  const { structured } = await mail.call({ to: 'ana' }, context)
  assert.deepEqual(structured, { message_id: context.idempotencyKey, status: 'queued' })
  const { queue, message } = seen.at(-1)
  assert.deepEqual(
    [queue, message.message_id, message.correlation_id, message.content_type, dataOf(message)],
    ['mail', context.idempotencyKey, context.invocationId, 'application/json', { to: 'ana' }],
  )
  assert.equal(message.application_properties.tool_id, 'send-mail')
})

test('50 calls at once each get their own answer', async () => {
  work = (message) => {
    assert.equal(message.reply_to, at(RESULTS))
    reply(message.correlation_id, { echo: dataOf(message).to })
  }
  const { mail, close } = open({ response_queue_url: at(RESULTS) })
  const names = Array.from({ length: 50 }, (_, index) => `person ${index}`)
  const results = await Promise.all(names.map((to) => mail.call({ to }, callContext())))
  assert.deepEqual(
    results.map(({ structured }) => structured.echo),
    names,
  )
  await until(() => bus.left(RESULTS) === 0, 'all replies are settled')
  await close()
})

test('two consumers share a queue, and each call gets its own answer', async () => {
  const unknown = { recordLate: async () => 'unknown' }
  const [a, b] = [1, 2].map(() => open({ response_queue_url: at('shared') }, unknown))
  work = (message) => reply(message.correlation_id, { echo: dataOf(message).to }, 'shared')
  const run = ({ mail }, name) =>
    Promise.all(Array.from({ length: 6 }, (_, index) => mail.call({ to: `${name}${index}` }, callContext())))
  const both = await Promise.all([run(a, 'a'), run(b, 'b')])
  assert.deepEqual(
    both.map((results) => results.map(({ structured }) => structured.echo)),
    ['a', 'b'].map((name) => Array.from({ length: 6 }, (_, index) => `${name}${index}`)),
  )
})

test('an answer after the time limit is recorded', async () => {
  work = () => {}
  const { mail, late } = open({ response_queue_url: at('late'), timeout_ms: 700 })
  const context = callContext()
  assert.equal((await failureOf(mail.call({}, context))).errorClass, 'timeout')
  reply(context.invocationId, { late: true }, 'late')
  await until(() => late.length === 1, 'the late answer')
  assert.deepEqual([late[0].invocationId, late[0].answer], [context.invocationId, { late: true }])
})

test('failures say what to do and whether the call may have run', async () => {
  const absent = await failureOf(open({ queue_url: at('absent') }).mail.call({}, callContext()))
  assert.equal(
    absent.message,
    'Azure Service Bus does not know the "queue_url" of "send-mail" (MessagingEntityNotFound); correct the tool file.',
  )
  assert.deepEqual([absent.errorClass, absent.nothingHappened], ['setup_required', true])
  const unread = await failureOf(
    open({ response_queue_url: at('absent-results') }).mail.call({}, callContext()),
  )
  assert.match(unread.message, /does not know the "response_queue_url" of "send-mail"/)
  const away = await failureOf(open({ queue_url: 'sb://127.0.0.1:1/mail' }).mail.call({}, callContext()))
  assert.equal(away.errorClass, 'dependency_unavailable', away.message)
  assert.equal(away.nothingHappened, true)
})

test('an address is the namespace and the queue', () => {
  assert.deepEqual(open({ queue_url: 'https://mail.servicebus.windows.net/out' }).mail.hosts, [
    'mail.servicebus.windows.net',
  ])
  for (const queue_url of ['mail', 'http://mail.example/out', 'https://mail.servicebus.windows.net'])
    assert.match(open({ queue_url }).mail.missing().message, /its "queue_url" must be https:/)
})
