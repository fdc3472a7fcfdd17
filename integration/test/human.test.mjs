import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'
import { createCrib, sqliteStore } from '../build/index.js'
import { toolFileSource } from '../build/tool-files.js'
import { until } from './tools.mjs'

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
})

const server = await startFauxqs({ port: 0, logger: false })
const client = new SQSClient({ region: 'us-east-1', endpoint: `http://127.0.0.1:${server.port}` })
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-human-'))
after(async () => {
  client.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function createQueue(QueueName) {
  return (await client.send(new CreateQueueCommand({ QueueName }))).QueueUrl
}

async function receive(QueueUrl) {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MessageAttributeNames: ['All'] }),
  )
  for (const { ReceiptHandle } of Messages)
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  return Messages.map(({ Body, MessageAttributes }) => ({
    body: JSON.parse(Body),
    correlationId: MessageAttributes?.correlation_id?.StringValue,
  }))
}

const text = (StringValue) => ({ DataType: 'String', StringValue })

function send(QueueUrl, correlationId, body, more = {}) {
  const MessageAttributes = { correlation_id: text(correlationId), ...more }
  return client.send(
    new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body), MessageAttributes }),
  )
}

/** A folder with one human tool over a queue, and a crib with it on a store that survives. */
async function openFolder(name, { queue, answers }) {
  const path = join(folder, name)
  mkdirSync(join(path, 'tools'), { recursive: true })
  writeFileSync(
    join(path, 'tools/refund-review.tool.md'),
    `---
spec_version: "1.2"
tool_id: refund-review
version: 1.0.0
status: active
meta:
  name: Refund review
  description: Asks a person whether an order is refunded. Use it for every refund.
  owner: support
  last_updated: "2026-01-01"
type: human
interface:
  input: { type: object, properties: { order: { type: string } }, required: [order] }
  output:
    type: object
    properties: { decision: { type: string, enum: [refund, refuse] } }
    required: [decision]
transport:
  type: message-queue
  provider: aws
  queue_url: ${queue}
  response_queue_url: ${answers}
  message_format: json
  credentials: { scheme: iam-role }
use_guidance:
  use_when: [a refund is asked for]
  avoid_when: [no refund is asked for]
  side_effects: A person is asked.
---
`,
  )
  const problems = []
  const open = async () => {
    const source = toolFileSource({
      name: 'shop',
      folder: path,
      onProblem: (message) => problems.push(message),
    })
    const crib = await createCrib({
      store: sqliteStore({ path: join(path, 'crib.db') }),
      sources: [source],
      reviewers: ['ana'],
      sealKey: new Uint8Array(32).fill(1),
    })
    return crib
  }
  return { open, problems }
}

const NAME = 'aml.shop.refund-review'

test('a question goes out over a queue, and its answer comes back over the response queue', async () => {
  const [queue, answers] = [await createQueue('questions-1'), await createQueue('answers-1')]
  const { open, problems } = await openFolder('one', { queue, answers })
  const crib = await open()
  const call = crib.call(await crib.surface(), { name: NAME, input: { order: 'A1' } })
  const { approval_id: id } = await call.pending()
  const [{ body, correlationId }] = await receive(queue)
  assert.equal(correlationId, id)
  assert.equal(body.order, 'A1')
  assert.equal(body.question.approval_id, id)
  assert.deepEqual(body.question.form.required, ['decision'])
  await send(answers, 'appr_of_nobody', { decision: 'refund' })
  await send(answers, id, { decision: 'maybe' })
  await until(
    () => problems.some((each) => each.includes('does not fit the form')),
    'the wrong answer is reported',
  )
  assert.equal((await crib.approvals.get(id)).status, 'pending')
  await send(answers, id, { decision: 'refund' })
  const result = await call
  assert.deepEqual(result.structured_content, { decision: 'refund' })
  assert.equal(result.toolcrib.native.answered_by, 'queue:answers-1')
  await crib.close()
})

test('an answer is taken after a restart, and a rejection has its words', async () => {
  const [queue, answers] = [await createQueue('questions-2'), await createQueue('answers-2')]
  const { open } = await openFolder('two', { queue, answers })
  const first = await open()
  const call = first.call(await first.surface(), { name: NAME, input: { order: 'A2' } })
  const { approval_id: id } = await call.pending()
  await receive(queue)
  await until(async () => (await first.approvals.get(id)).delivery?.announced_at !== undefined)
  await first.close()
  await assert.rejects(call, { code: 'toolcrib.still_waiting' })
  await send(answers, call.invocationId, { feedback: 'Ask sales.' }, { status: text('rejected') })
  const second = await open()
  await until(async () => (await second.result(call.invocationId)) !== undefined, 'the call ends')
  const { error } = await second.result(call.invocationId)
  assert.equal(error.error_code, 'toolcrib.approval_rejected')
  assert.match(error.message, /Ask sales\./)
  assert.deepEqual(await receive(queue), [], 'it was not announced again')
  await second.close()
})
