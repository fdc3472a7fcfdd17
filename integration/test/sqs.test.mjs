import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import avro from 'avsc'
import { startFauxqs } from 'fauxqs'
import { queueTransport } from '../build/sources/tool-file/transports/message-queue/queue-transport.js'
import { startEndpoint } from './endpoint.mjs'
import { callContext, environment, failureOf, tool, until } from './tools.mjs'

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
})

const server = await startFauxqs({ port: 0, logger: false })
const endpoint = `http://127.0.0.1:${server.port}`
const client = new SQSClient({ region: 'us-east-1', endpoint })
const closing = []
after(async () => {
  for (const each of closing) await each.close()
  client.destroy()
  await server.stop()
})

let queues = 0

/** A queue on loopback, as a tool file names it. */
async function createQueue(suffix = '', Attributes = {}) {
  const QueueName = `queue-${++queues}${suffix}`
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }))
  return QueueUrl
}

function open(transport, { tool: more, environment: given } = {}) {
  const around = environment(given)
  const opened = queueTransport(around)
  closing.push(opened)
  const mail = opened.open(
    tool({ type: 'message-queue', provider: 'aws', message_format: 'json', ...transport }, more),
  )
  return { ...around, mail, close: () => opened.close() }
}

async function receive(QueueUrl) {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      WaitTimeSeconds: 1,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
      AttributeNames: ['All'],
    }),
  )
  for (const { ReceiptHandle } of Messages)
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  return Messages.map(({ Body, MessageId, MessageAttributes = {}, Attributes = {} }) => ({
    id: MessageId,
    body: Body,
    system: Attributes,
    attributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    ),
  }))
}

const text = (StringValue) => ({ DataType: 'String', StringValue })

function reply(QueueUrl, correlationId, body, attributes = {}) {
  const all = { ...attributes, ...(correlationId && { correlation_id: correlationId }) }
  return client.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
      MessageAttributes: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, text(value)])),
    }),
  )
}

/** A worker that answers each message. Stops with `close`. */
function startWorker(queue, answer) {
  let isOpen = true
  const working = (async () => {
    while (isOpen)
      for (const message of await receive(queue)) {
        const { to = message.attributes.reply_to, ...more } = (await answer(message)) ?? {}
        if ('body' in more) await reply(to, message.attributes.correlation_id, more.body, more.attributes)
      }
  })()
  return {
    async close() {
      isOpen = false
      await working
    },
  }
}

test('[AML-FILE-09] a message without a response queue: its id is the result', async () => {
  const queue_url = await createQueue()
  const { mail } = open({ queue_url })
  assert.deepEqual(mail.hosts, ['sqs.us-east-1.localhost'])
  assert.equal(mail.missing(), undefined)
  const context = callContext()
  const { structured, native } = await mail.call({ to: 'ana' }, context)
  const [message] = await receive(queue_url)
  assert.deepEqual(structured, { message_id: message.id, status: 'queued' })
  assert.equal(native.message_id, message.id)
  assert.equal(native.queue_url, queue_url)
  assert.ok(native.request_id)
  assert.deepEqual(JSON.parse(message.body), { to: 'ana' })
  assert.deepEqual(message.attributes, {
    correlation_id: context.invocationId,
    idempotency_key: context.idempotencyKey,
    content_type: 'application/json',
    tool_id: 'send-mail',
  })
})

test('the output schema decides under which names the id and the state stand', async () => {
  const queue_url = await createQueue()
  const output = {
    type: 'object',
    properties: { messageId: { type: 'string' }, status: { enum: ['sent', 'failed'] } },
    required: ['status'],
  }
  const { structured, native } = await open({ queue_url }, { tool: { output } }).mail.call({}, callContext())
  assert.deepEqual(structured, { messageId: native.message_id, status: 'sent' })
  const { mail } = open({ queue_url }, { tool: { output: { type: 'object', required: ['price'] } } })
  assert.equal(
    mail.missing().message,
    '"support" cannot call "send-mail": its output requires "price", and without "response_queue_url" only "message_id" and "status" are known.',
  )
})

test('a queue that keeps the order drops the second message of one call', async () => {
  const queue_url = await createQueue('.fifo', { FifoQueue: 'true' })
  const { mail } = open({ queue_url })
  assert.equal(mail.isIdempotent, true)
  const context = callContext()
  const first = await mail.call({ to: 'ana' }, context)
  const second = await mail.call({ to: 'ana' }, { ...context, attempt: 2 })
  assert.equal(first.native.message_id, second.native.message_id)
  const messages = await receive(queue_url)
  assert.equal(messages.length, 1)
  assert.equal(messages[0].system.MessageDeduplicationId, context.idempotencyKey)
})

test('50 calls at once each get the answer that belongs to them, over one consumer', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const { mail } = open({ queue_url, response_queue_url, timeout_ms: 30_000 })
  const waiting = []
  const worker = startWorker(queue_url, ({ body, attributes }) => {
    assert.equal(attributes.reply_to, response_queue_url)
    waiting.push({ id: attributes.correlation_id, to: JSON.parse(body).to })
  })
  const contexts = Array.from({ length: 50 }, () => callContext())
  const answers = contexts.map((context, at) => mail.call({ to: `person ${at}` }, context))
  await until(() => waiting.length === 50, 'all messages')
  for (const { id, to } of waiting.toReversed()) await reply(response_queue_url, id, { sent: to })
  const results = await Promise.all(answers)
  assert.deepEqual(
    results.map(({ structured }) => structured.sent),
    contexts.map((_, at) => `person ${at}`),
  )
  for (const [at, { native }] of results.entries()) {
    assert.ok(native.message_id && native.reply_message_id)
    assert.equal(native.correlation_id, contexts[at].invocationId)
    assert.match(contexts[at].reports[0].message, /^Message .* was sent; waiting for its answer\.$/)
  }
  await worker.close()
  assert.deepEqual(await receive(response_queue_url), [])
})

test('progress of the worker is reported, and its error is the failure of the call', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const { mail } = open({ queue_url, response_queue_url })
  const context = callContext()
  const answer = failureOf(mail.call({ to: 'ana' }, context))
  await reply(
    response_queue_url,
    context.invocationId,
    { message: 'Half', percent: 50 },
    { status: 'progress' },
  )
  await until(() => context.reports.some(({ percent }) => percent === 50), 'the report')
  await reply(
    response_queue_url,
    context.invocationId,
    { message: 'No such box', code: 'E7' },
    { status: 'error' },
  )
  const { message, errorClass, code, native } = await answer
  assert.equal(message, '"send-mail" failed: No such box')
  assert.deepEqual([errorClass, code, native.code], ['execution_failed', 'toolcrib.tool_said_error', 'E7'])
  const unreadable = callContext()
  const broken = failureOf(mail.call({ to: 'ana' }, unreadable))
  await reply(response_queue_url, unreadable.invocationId, '{"open":')
  assert.match((await broken).message, /^The answer to "send-mail" cannot be read: it is not JSON/)
})

test('[AML-FILE-09] Avro goes there and back', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const schema = [
    {
      type: 'record',
      name: 'Mail',
      fields: [
        { name: 'to', type: 'string' },
        { name: 'copies', type: ['null', 'int'], default: null },
      ],
    },
    {
      type: 'record',
      name: 'Sent',
      fields: [
        { name: 'id', type: 'long' },
        { name: 'raw', type: 'bytes' },
      ],
    },
  ]
  const [mailType, sentType] = schema.map((each) => avro.Type.forSchema(each))
  const { mail } = open({ queue_url, response_queue_url, message_format: 'avro' }, { tool: { avro: schema } })
  const seen = []
  const worker = startWorker(queue_url, ({ body, attributes }) => {
    assert.deepEqual([attributes.content_type, attributes.content_encoding], ['avro/binary', 'base64'])
    seen.push({ ...mailType.fromBuffer(Buffer.from(body, 'base64')) })
    const sent = sentType.toBuffer({ id: 7, raw: Buffer.from('ok') })
    return { body: sent.toString('base64'), attributes: { content_encoding: 'base64' } }
  })
  const { structured } = await mail.call({ to: 'ana' }, callContext())
  assert.deepEqual(structured, { id: 7, raw: btoa('ok') })
  assert.deepEqual(seen, [{ to: 'ana', copies: null }])
  const failed = await failureOf(mail.call({ to: 'ana', copies: 'many' }, callContext()))
  assert.equal(failed.message, '"send-mail" is not called: "copies" does not fit its Avro schema.')
  assert.deepEqual([failed.code, failed.nothingHappened], ['toolcrib.request_invalid', true])
  await worker.close()
})

test('an answer that comes after the time limit or a cancellation is recorded with its call', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const { mail, late } = open({ queue_url, response_queue_url, timeout_ms: 300 })
  const context = callContext()
  const failed = await failureOf(mail.call({ to: 'ana' }, context))
  assert.equal(
    failed.message,
    `No answer to "send-mail" came within 0.3 s; the call may have run. An answer that comes later is recorded with ${context.invocationId}.`,
  )
  assert.deepEqual([failed.errorClass, failed.nothingHappened], ['timeout', false])
  assert.ok(failed.native.message_id)
  const canceled = callContext()
  const stopped = failureOf(mail.call({ to: 'bo' }, canceled))
  await until(() => canceled.reports.length > 0, 'the message')
  canceled.cancel()
  assert.equal((await stopped).code, 'CANCEL_UNCONFIRMED')
  const answers = [context, canceled].map(({ invocationId }) => ({ invocationId, answer: { late: true } }))
  for (const { invocationId, answer } of answers) await reply(response_queue_url, invocationId, answer)
  await until(() => late.length === 2, 'the late answers')
  assert.deepEqual(
    late
      .map(({ invocationId, answer }) => ({ invocationId, answer }))
      .toSorted((a, b) => (a.invocationId < b.invocationId ? -1 : 1)),
    answers.toSorted((a, b) => (a.invocationId < b.invocationId ? -1 : 1)),
  )
  assert.ok(late.every(({ message_id: id }) => typeof id === 'string'))
})

test('a call that was canceled before it began sends nothing', async () => {
  const queue_url = await createQueue()
  const context = callContext()
  const reason = new Error('not any more')
  context.cancel(reason)
  assert.equal(await failureOf(open({ queue_url }).mail.call({}, context)), reason)
  assert.deepEqual(await receive(queue_url), [])
})

test('two processes share a response queue, and each call gets its own answer', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const worker = startWorker(queue_url, ({ body }) => ({ body: { echo: JSON.parse(body).to } }))
  const script = fileURLToPath(new URL('./queue-process.mjs', import.meta.url))
  const runs = ['a', 'b'].map((name) => {
    const child = spawn(
      process.execPath,
      [script, JSON.stringify({ name, count: 12, queue_url, response_queue_url })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
    return once(child, 'close').then(() => JSON.parse(out))
  })
  const [a, b] = await Promise.all(runs)
  const expected = (name) => Array.from({ length: 12 }, (_, at) => `${name}${at}`)
  assert.deepEqual([a, b], [expected('a'), expected('b')])
  await worker.close()
})

test('an answer of an unknown call is left, and one without an id too', async () => {
  const [queue_url, response_queue_url] = [await createQueue(), await createQueue()]
  const { mail, close } = open(
    { queue_url, response_queue_url },
    { environment: { recordLate: async () => 'unknown' } },
  )
  const context = callContext()
  const answer = mail.call({ to: 'ana' }, context)
  await until(() => context.reports.length > 0, 'the message')
  await reply(response_queue_url, 'inv_of_another', { foreign: true })
  await reply(response_queue_url, undefined, { nameless: true })
  await reply(response_queue_url, context.invocationId, { own: true })
  assert.deepEqual((await answer).structured, { own: true })
  await close()
  const seen = []
  await until(async () => {
    seen.push(...(await receive(response_queue_url)).map(({ body }) => JSON.parse(body)))
    return seen.length === 2
  }, 'both answers')
  assert.deepEqual(seen.map((each) => Object.keys(each)[0]).toSorted(), ['foreign', 'nameless'])
})

test('a secret that was rotated is read again once the queue refuses it, and is masked', async () => {
  const account = (access_key_id, secret_access_key) => JSON.stringify({ access_key_id, secret_access_key })
  let kept = account('AKIDOLD', 'plum tree by the lake')
  let accepted = 'AKIDOLD'
  const aws = await startEndpoint(({ headers, body }) => {
    if (headers['x-amz-target'].startsWith('secretsmanager')) return { json: { SecretString: kept } }
    const [, key] = /Credential=(\w+)\//.exec(headers.authorization)
    const MD5OfMessageBody = createHash('md5').update(JSON.parse(body).MessageBody).digest('hex')
    if (key === accepted) return { json: { MessageId: `m-of-${key}`, MD5OfMessageBody } }
    return {
      status: 403,
      json: { __type: 'com.amazonaws.sqs#InvalidClientTokenId', message: 'canary' },
    }
  })
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = aws.url
  const { mail, isMasked, close } = open({
    queue_url: `${aws.url}/000/queue`,
    credentials: {
      scheme: 'service-account',
      settings: {
        kind: 'secret',
        scheme: 'service-account',
        secret: { source: 'aws_secrets_manager', secret_id: 'prod/mail', region: 'eu-west-1' },
      },
    },
  })
  const { native } = await mail.call({}, callContext())
  assert.equal(native.message_id, 'm-of-AKIDOLD')
  assert.ok(isMasked('plum tree by the lake'))
  accepted = 'AKIDNEW'
  const refused = await failureOf(mail.call({}, callContext()))
  assert.equal(
    refused.message,
    'Amazon SQS does not accept the credential of "send-mail" (InvalidClientTokenId); correct its secret, or the identity of this process.',
  )
  assert.deepEqual([refused.errorClass, refused.nothingHappened], ['credential_missing', true])
  kept = account('AKIDNEW', 'pear tree by the pond')
  const before = aws.seen.length
  const again = await mail.call({}, callContext())
  assert.equal(again.native.message_id, 'm-of-AKIDNEW')
  // Refused, read again, and sent.
  assert.equal(aws.seen.length, before + 3)
  assert.ok(isMasked('pear tree by the pond'))
  await close()
  await aws.close()
})

test('failures of Amazon SQS say what to do and whether the call may have run', async () => {
  const url = await createQueue()
  const { mail: absent } = open({ queue_url: `${url}-absent` })
  const none = await failureOf(absent.call({}, callContext()))
  assert.equal(
    none.message,
    'Amazon SQS does not know the "queue_url" of "send-mail" (QueueDoesNotExist); correct the tool file.',
  )
  assert.deepEqual([none.errorClass, none.nothingHappened], ['setup_required', true])
  const { mail: lost } = open({ queue_url: 'http://127.0.0.1:1/000/queue' })
  const away = await failureOf(lost.call({}, callContext()))
  assert.equal(away.message, 'Amazon SQS gave no answer to "send-mail" (ECONNREFUSED); the call has not run.')
  assert.deepEqual([away.errorClass, away.code], ['dependency_unavailable', 'toolcrib.server_unavailable'])
  const aws = await startEndpoint(() => ({
    status: 400,
    json: { __type: 'com.amazonaws.sqs#RequestThrottled', message: 'canary' },
  }))
  const { mail: busy } = open({ queue_url: `${aws.url}/000/queue` })
  const throttled = await failureOf(busy.call({}, callContext()))
  assert.equal(throttled.errorClass, 'rate_limited')
  assert.doesNotMatch(throttled.message, /canary/)
  assert.equal(aws.seen.length, 1)
  await aws.close()
  // It takes the message and says nothing.
  const silent = createServer(() => {})
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { mail: slow } = open({
    queue_url: `http://127.0.0.1:${silent.address().port}/000/queue`,
    timeout_ms: 200,
  })
  const timedOut = await failureOf(slow.call({}, callContext()))
  assert.equal(
    timedOut.message,
    'Amazon SQS did not take the message of "send-mail" within 0.2 s; the call may have run.',
  )
  assert.equal(timedOut.errorClass, 'timeout')
  silent.closeAllConnections()
  silent.close()
})

test('a response queue that does not exist fails the call at once', async () => {
  const queue_url = await createQueue()
  const { mail } = open({ queue_url, response_queue_url: `${queue_url}-absent` })
  const failed = await failureOf(mail.call({}, callContext()))
  assert.equal(
    failed.message,
    'Amazon SQS does not know the "response_queue_url" of "send-mail" (QueueDoesNotExist); correct the tool file.',
  )
})

test('an address that no message may go to is named', () => {
  for (const queue_url of ['http://sqs.example/1/queue', 'queue', 'https://user:word@sqs.example/1/queue'])
    assert.deepEqual(open({ queue_url }).mail.missing(), {
      message:
        '"support" cannot call "send-mail": its "queue_url" must be the https address of a queue of Amazon SQS.',
      code: 'toolcrib.setup_required',
    })
})
