import { connect, createServer } from 'node:net'
import { after } from 'node:test'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'
import { transportContract } from './contract.mjs'
import { serviceAccount } from './tools.mjs'

const secret = 'plum tree by the lake'
const server = await startFauxqs({ port: 0, logger: false })
const client = new SQSClient({
  region: 'us-east-1',
  endpoint: `http://127.0.0.1:${server.port}`,
  credentials: { accessKeyId: 'AKIDWORKER', secretAccessKey: 'secret-of-the-worker' },
})

/** Counts the connections of the transport. */
const sockets = new Set()
const proxy = createServer((socket) => {
  const there = connect(server.port, '127.0.0.1')
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  for (const each of [socket, there]) each.on('error', () => {})
  socket.pipe(there)
  there.pipe(socket)
})
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))

const text = (StringValue) => ({ DataType: 'String', StringValue })
const answers = {
  answer: (said) => ({ text: said.replace('say it', secret) }),
  mismatch: () => ({ other: secret }),
  refuse: () => ({ code: 'Refused', message: `Not with ${secret}` }),
  hang: () => undefined,
}
const create = async (QueueName) => (await client.send(new CreateQueueCommand({ QueueName }))).QueueUrl
const response_queue_url = await create('replies')
const queues = {}
for (const does of Object.keys(answers)) queues[does] = await create(does)

let calls = 0
const ending = new AbortController()
/** A worker for each behaviour. */
const workers = Object.entries(queues).map(async ([does, QueueUrl]) => {
  while (!ending.signal.aborted) {
    const receive = new ReceiveMessageCommand({
      QueueUrl,
      WaitTimeSeconds: 20,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    })
    const { Messages = [] } = await client.send(receive, { abortSignal: ending.signal })
    for (const { Body, MessageAttributes, ReceiptHandle } of Messages) {
      calls++
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      const answer = answers[does](JSON.parse(Body).text)
      if (answer === undefined) continue
      const { correlation_id, reply_to } = MessageAttributes
      await client.send(
        new SendMessageCommand({
          QueueUrl: reply_to.StringValue,
          MessageBody: JSON.stringify(answer),
          MessageAttributes: { correlation_id, ...(does === 'refuse' && { status: text('error') }) },
        }),
      )
    }
  }
})
after(async () => {
  ending.abort()
  await Promise.allSettled(workers)
  client.destroy()
  proxy.close()
  await server.stop()
})

transportContract(
  'message-queue (SQS)',
  {
    tool: (does) => ({
      transport: {
        type: 'message-queue',
        provider: 'aws',
        queue_url: queues[does],
        response_queue_url,
        message_format: 'json',
        timeout_ms: 20_000,
        credentials: serviceAccount('ACCOUNT'),
      },
    }),
    env: {
      ACCOUNT: JSON.stringify({ access_key_id: 'AKIDEXAMPLE', secret_access_key: secret }),
      AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${proxy.address().port}`,
    },
    answer: (said) => ({ text: said }),
    echoed: 'say it',
    refusal: { code: 'Refused', errorClass: 'execution_failed' },
    hosts: ['sqs.us-east-1.localhost'],
    secrets: [secret],
    calls: () => calls,
    aborted: () => 0,
    connections: () => sockets.size,
  },
  {
    cancel: 'a message that was sent cannot be taken back',
    large: 'a message of Amazon SQS cannot have more than 1 MiB',
  },
)
