import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import avro from 'avsc'
import { queueTransport } from '../build/sources/tool-file/transports/message-queue/queue-transport.js'
import { startKafka } from './kafka-stub.mjs'
import { callContext, environment, failureOf, iamRole, serviceAccount, tool, until } from './tools.mjs'

let work = () => {}
const seen = []
const login = { username: 'mail', password: 'plum tree by the lake' }
const kafka = await startKafka(
  (message) => {
    seen.push(message)
    work(message)
  },
  { login },
)
const closing = []
after(async () => {
  for (const each of closing) await each.close()
  kafka.close()
})
const reply = (correlation_id, value, topic = 'results', headers = {}) =>
  kafka.push(topic, {
    headers: { correlation_id, ...headers },
    value: Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)),
  })

function open(transport, { secret = {}, tool: more, ...given } = {}) {
  const KAFKA = JSON.stringify({ brokers: kafka.broker, ...secret })
  const around = environment({ env: { KAFKA }, ...given })
  const opened = queueTransport(around)
  closing.push(opened)
  const mail = opened.open(
    tool(
      {
        type: 'message-queue',
        provider: 'kafka',
        queue_url: 'mail',
        message_format: 'json',
        timeout_ms: 10_000,
        credentials: serviceAccount('KAFKA'),
        ...transport,
      },
      more,
    ),
  )
  return { ...around, mail }
}

test('[AML-FILE-09] a message is written to a topic, and its position is its id', async () => {
  const { mail } = open({})
  assert.equal(mail.missing(), undefined)
  assert.deepEqual(mail.hosts, [])
  const context = callContext()
  const { structured, native } = await mail.call({ to: 'ana' }, context)
  assert.deepEqual(structured, { message_id: 'mail/0/0', status: 'queued' })
  assert.deepEqual([native.partition, native.offset], [0, '0'])
  const { topic, headers, value } = seen.at(-1)
  assert.deepEqual([topic, JSON.parse(value.toString())], ['mail', { to: 'ana' }])
  assert.deepEqual(headers, {
    correlation_id: context.invocationId,
    idempotency_key: context.idempotencyKey,
    content_type: 'application/json',
    tool_id: 'send-mail',
  })
})

test('an address can name the brokers, and then states its hosts', async () => {
  const { mail } = open({ queue_url: `kafka://${kafka.broker}/mail` }, { secret: { brokers: 'nowhere:1' } })
  assert.deepEqual(mail.hosts, ['127.0.0.1'])
  assert.match((await mail.call({}, callContext())).native.message_id, /^mail\/0\/\d+$/)
})

test('50 calls at once each get their own answer', async () => {
  work = ({ headers, value }) => {
    assert.equal(headers.reply_to, 'results')
    reply(headers.correlation_id, { echo: JSON.parse(value.toString()).to })
  }
  const { mail } = open({ response_queue_url: 'results' })
  const names = Array.from({ length: 50 }, (_, at) => `person ${at}`)
  const results = await Promise.all(names.map((to) => mail.call({ to }, callContext())))
  assert.deepEqual(
    results.map(({ structured }) => structured.echo),
    names,
  )
})

test('two consumers read one topic, and each call gets its own answer', async () => {
  const unknown = { recordLate: async () => 'unknown' }
  const [a, b] = [1, 2].map(() => open({ response_queue_url: 'results' }, unknown))
  const run = ({ mail }, name) =>
    Promise.all(Array.from({ length: 6 }, (_, at) => mail.call({ to: `${name}${at}` }, callContext())))
  const both = await Promise.all([run(a, 'a'), run(b, 'b')])
  assert.deepEqual(
    both.map((results) => results.map(({ structured }) => structured.echo)),
    ['a', 'b'].map((name) => Array.from({ length: 6 }, (_, at) => `${name}${at}`)),
  )
})

test('Avro goes there and back in binary form', async () => {
  const schema = { type: 'record', name: 'Mail', fields: [{ name: 'to', type: 'string' }] }
  const type = avro.Type.forSchema(schema)
  work = ({ headers, value }) =>
    reply(headers.correlation_id, type.toBuffer({ to: `${type.fromBuffer(value).to}!` }))
  const { mail } = open({ response_queue_url: 'results', message_format: 'avro' }, { tool: { avro: schema } })
  assert.deepEqual((await mail.call({ to: 'ana' }, callContext())).structured, { to: 'ana!' })
})

test('an answer after the time limit is recorded', async () => {
  work = () => {}
  const { mail, late } = open({ response_queue_url: 'results', timeout_ms: 1500 })
  const context = callContext()
  assert.equal((await failureOf(mail.call({}, context))).errorClass, 'timeout')
  reply(context.invocationId, { late: true })
  await until(() => late.some(({ invocationId }) => invocationId === context.invocationId), 'the late answer')
})

test('a login is used, and its password is masked', async () => {
  const { mail, isMasked } = open({}, { secret: login })
  await mail.call({}, callContext())
  assert.ok(isMasked(login.password))
  const wrong = await failureOf(
    open({}, { secret: { ...login, password: 'pear tree' } }).mail.call({}, callContext()),
  )
  assert.equal(wrong.errorClass, 'credential_missing', wrong.message)
  assert.doesNotMatch(wrong.message, /canary|pear/)
})

test('failures say what to do', async () => {
  const absent = await failureOf(open({ queue_url: 'absent-mail' }).mail.call({}, callContext()))
  assert.deepEqual([absent.errorClass, absent.nothingHappened], ['setup_required', true], absent.message)
  const unread = await failureOf(open({ response_queue_url: 'absent-results' }).mail.call({}, callContext()))
  assert.match(unread.message, /^Kafka does not know the "response_queue_url" of "send-mail"/)
  const away = await failureOf(open({}, { secret: { brokers: '127.0.0.1:1' } }).mail.call({}, callContext()))
  assert.equal(away.errorClass, 'dependency_unavailable', away.message)
  const none = await failureOf(open({}, { secret: { brokers: 'nowhere' } }).mail.call({}, callContext()))
  assert.match(none.message, /needs the brokers of Kafka for "send-mail": write host:port/)
  assert.match(
    open({ credentials: iamRole }).mail.missing().message,
    /needs the scheme service-account for "send-mail": its secret holds the brokers and the login\.$/,
  )
  assert.match(open({ queue_url: 'kafka://user@host/mail' }).mail.missing().message, /must be a topic/)
})
