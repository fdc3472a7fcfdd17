import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { queueTransport } from '../build/sources/tool-file/transports/message-queue/queue-transport.js'
import { startPubsub } from './pubsub-stub.mjs'
import { callContext, environment, failureOf, tool, until } from './tools.mjs'

const topic = 'projects/p1/topics/mail'
const subscription = 'projects/p1/subscriptions/mail-results'

// The library would ask the machine for its identity.
Object.assign(process.env, {
  METADATA_SERVER_DETECTION: 'none',
  GOOGLE_APPLICATION_CREDENTIALS: '',
  HOME: '/nowhere',
})

let work = () => {}
const seen = []
const pubsub = await startPubsub((message) => {
  seen.push(message)
  work(message)
})
const closing = []
after(async () => {
  for (const each of closing) await each.close()
  pubsub.close()
})
const reply = (correlation_id, body, attributes = {}, to = subscription) =>
  pubsub.push(to, {
    data: Buffer.from(JSON.stringify(body)),
    attributes: { correlation_id, ...attributes },
  })

function open(transport, given = {}) {
  const around = environment({ env: { PUBSUB_EMULATOR_HOST: pubsub.host }, ...given })
  const opened = queueTransport(around)
  closing.push(opened)
  const mail = opened.open(
    tool({ type: 'message-queue', provider: 'gcp', queue_url: topic, message_format: 'json', ...transport }),
  )
  return { ...around, mail, close: () => opened.close() }
}

test('[AML-FILE-09] a message is published once, and its id is the result', async () => {
  work = () => {}
  const { mail } = open({})
  assert.equal(mail.missing(), undefined)
  assert.deepEqual(mail.hosts, ['127.0.0.1'])
  assert.deepEqual(open({}, { env: {} }).mail.hosts, ['pubsub.googleapis.com'])
  const context = callContext()
  const { structured } = await mail.call({ to: 'ana' }, context)
  const message = seen.at(-1)
  assert.deepEqual(structured, { message_id: message.id, status: 'queued' })
  assert.equal(message.topic, topic)
  assert.deepEqual(JSON.parse(message.data.toString()), { to: 'ana' })
  assert.equal(message.attributes.correlation_id, context.invocationId)
  assert.equal(message.attributes.idempotency_key, context.idempotencyKey)
})

test('50 calls at once each get their own answer', async () => {
  work = ({ data, attributes }) => {
    assert.equal(attributes.reply_to, subscription)
    setImmediate(reply, attributes.correlation_id, { echo: JSON.parse(data.toString()).to })
  }
  const { mail, close } = open({ response_queue_url: subscription })
  const names = Array.from({ length: 50 }, (_, at) => `person ${at}`)
  const results = await Promise.all(names.map((to) => mail.call({ to }, callContext())))
  assert.deepEqual(
    results.map(({ structured }) => structured.echo),
    names,
  )
  await close()
  await until(() => pubsub.left(subscription) === 0, 'all acknowledgements')
})

test('two consumers share a subscription, and each call gets its own answer', async () => {
  const shared = 'projects/p1/subscriptions/shared'
  const unknown = { recordLate: async () => 'unknown' }
  const [a, b] = [1, 2].map(() => open({ response_queue_url: shared }, unknown))
  work = ({ data, attributes }) =>
    setImmediate(reply, attributes.correlation_id, { echo: JSON.parse(data.toString()).to }, {}, shared)
  const run = ({ mail }, name) =>
    Promise.all(Array.from({ length: 6 }, (_, at) => mail.call({ to: `${name}${at}` }, callContext())))
  const [ofA, ofB] = await Promise.all([run(a, 'a'), run(b, 'b')])
  for (const [results, name] of [
    [ofA, 'a'],
    [ofB, 'b'],
  ])
    assert.deepEqual(
      results.map(({ structured }) => structured.echo),
      results.map((_, at) => `${name}${at}`),
    )
})

test('an answer after the time limit is recorded', async () => {
  work = () => {}
  const { mail, late } = open({ response_queue_url: subscription, timeout_ms: 500 })
  const context = callContext()
  const failed = await failureOf(mail.call({}, context))
  assert.equal(failed.errorClass, 'timeout')
  reply(context.invocationId, { late: true })
  await until(() => late.length === 1, 'the late answer')
  assert.deepEqual([late[0].invocationId, late[0].answer], [context.invocationId, { late: true }])
})

test('failures say what to do and whether the call may have run', async () => {
  const cases = [
    [5, 'setup_required', /Google Pub\/Sub does not know the "queue_url" of "send-mail" \(NOT_FOUND\)/],
    [7, 'setup_required', /does not permit "send-mail" to send to the queue \(PERMISSION_DENIED\)/],
    [8, 'rate_limited', /too many requests \(RESOURCE_EXHAUSTED\)/],
    [16, 'credential_missing', /does not accept the credential of "send-mail" \(UNAUTHENTICATED\)/],
    [14, 'execution_failed', /gave no answer to "send-mail" \(UNAVAILABLE\); the call may have run/],
  ]
  for (const [code, errorClass, words] of cases) {
    const before = seen.length
    work = () => {
      throw Object.assign(new Error('canary'), { code })
    }
    const failed = await failureOf(open({}).mail.call({}, callContext()))
    assert.equal(failed.errorClass, errorClass, failed.message)
    assert.match(failed.message, words)
    assert.doesNotMatch(failed.message, /canary/)
    assert.equal(seen.length, before + 1)
  }
  work = () => {}
  const { mail } = open({ response_queue_url: 'projects/p1/subscriptions/absent' })
  const failed = await failureOf(mail.call({}, callContext()))
  assert.match(failed.message, /does not know the "response_queue_url" of "send-mail" \(NOT_FOUND\)/)
})

test('topics and subscriptions are told apart', () => {
  const wrong = open({ queue_url: subscription }).mail.missing()
  assert.match(wrong.message, /its "queue_url" must be projects\/<project>\/topics\/<topic>\.$/)
  assert.match(open({ response_queue_url: topic }).mail.missing().message, /subscriptions\/<subscription>\.$/)
})
