import { setTimeout as sleep } from 'node:timers/promises'
import { awsOptions } from '../../../../../credentials/cloud/aws-options.js'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { isLoopbackName } from '../../../../../http-client/is-loopback.js'
import {
  headersOf,
  hidingMs,
  type OutgoingMessage,
  type ProviderOptions,
  type QueueProvider,
  type QueueReply,
  type Receiving,
  type ReplyHandlers,
} from './queue-provider.js'

interface Attribute {
  readonly DataType: string
  readonly StringValue?: string
}

interface ReceivedMessage {
  readonly MessageId?: string
  readonly ReceiptHandle?: string
  readonly Body?: string
  readonly MessageAttributes?: Readonly<Record<string, Attribute>>
  readonly Attributes?: Readonly<Record<string, string>>
}

interface Client {
  send(command: object, options?: { abortSignal: AbortSignal }): Promise<Answer>
  destroy(): void
}

interface Answer {
  readonly MessageId?: string
  readonly SequenceNumber?: string
  readonly Messages?: readonly ReceivedMessage[]
  readonly $metadata?: { readonly requestId?: string }
}

type Command = new (input: object) => object

interface Library {
  SQSClient: new (options: object) => Client
  SendMessageCommand: Command
  ReceiveMessageCommand: Command
  DeleteMessageCommand: Command
  ChangeMessageVisibilityCommand: Command
}

const BASE64 = 'base64'
const WAIT_SECONDS = 20
/** A reply that this process received and lost comes back after this time. */
const VISIBILITY_SECONDS = 5
/** How long to wait after replies that were all left, so that another process receives them. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

/**
 * Amazon SQS. Replies are deleted when they are taken; a reply that is left is visible to other processes at once, and
 * after several deliveries only from time to time.
 */
export async function openSqs(options: ProviderOptions): Promise<QueueProvider> {
  const library = await loadPackage<Library>('@aws-sdk/client-sqs', options.owner)
  const client = new library.SQSClient(clientOptions(options))
  const open = new Set<Receiving>()
  return {
    async send(QueueUrl, message, abortSignal) {
      const command = new library.SendMessageCommand({ QueueUrl, ...toSqs(QueueUrl, message) })
      const { MessageId = '', SequenceNumber, $metadata } = await client.send(command, { abortSignal })
      return {
        id: MessageId,
        native: {
          ...(SequenceNumber !== undefined && { sequence_number: SequenceNumber }),
          ...($metadata?.requestId !== undefined && { request_id: $metadata.requestId }),
        },
      }
    },
    async receive(queue, handlers) {
      const receiving = receive({ library, client, queue }, handlers)
      open.add(receiving)
      return receiving
    },
    async close() {
      await Promise.all([...open].map((each) => each.close()))
      client.destroy()
    },
  }
}

function clientOptions({ server, account, env }: ProviderOptions): object {
  const origin = new URL(server)
  const { hostname } = origin
  // Names below `localhost`, by which emulators tell regions apart, are this machine, and not every resolver knows them.
  if (hostname.endsWith('.localhost')) origin.hostname = 'localhost'
  const [, region] = /\bsqs\.([a-z0-9-]+)\./.exec(hostname) ?? /^([a-z0-9-]+)\.queue\./.exec(hostname) ?? []
  const emulator = env['AWS_ENDPOINT_URL_SQS'] || env['AWS_ENDPOINT_URL']
  return {
    // Emulators serve every region, and the library insists on one.
    ...awsOptions(
      region ?? (isLoopbackName(hostname) ? (env['AWS_REGION'] ?? 'us-east-1') : undefined),
      account,
    ),
    endpoint: emulator || origin.href,
    useQueueUrlAsEndpoint: false,
    // One attempt: the library would repeat a message that may have arrived.
    maxAttempts: 1,
  }
}

function toSqs(queueUrl: string, message: OutgoingMessage): object {
  const { body, isText, idempotencyKey } = message
  const headers = { ...headersOf(message), ...(!isText && { content_encoding: BASE64 }) }
  return {
    MessageBody: body.toString(isText ? 'utf8' : BASE64),
    MessageAttributes: Object.fromEntries(
      Object.entries(headers).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
    ),
    ...(new URL(queueUrl).pathname.endsWith('.fifo') && {
      // Each call is a group of its own: calls do not wait for each other.
      MessageGroupId: message.correlationId,
      MessageDeduplicationId: idempotencyKey,
    }),
  }
}

interface SqsQueue {
  readonly library: Library
  readonly client: Client
  readonly queue: string
}

function receive(sqs: SqsQueue, { onReply, onFailed }: ReplyHandlers): Receiving {
  const ending = new AbortController()
  const { signal } = ending

  async function settle(message: ReceivedMessage): Promise<boolean> {
    const isTaken = (await onReply(toReply(message))) === 'taken'
    // Where this fails, the reply is delivered once more, and known by its id.
    await finish(sqs, message, isTaken).catch(() => {})
    return isTaken
  }

  async function loop(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      const messages = await poll(sqs, signal)
      const taken = await Promise.all(messages.map(settle))
      if (taken.length === 0 || taken.includes(true)) pauseMs = FIRST_PAUSE_MS
      else {
        await sleep(pauseMs, undefined, { signal })
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
      }
    }
  }

  const done = loop().catch((error: unknown) => {
    if (!signal.aborted) onFailed(error)
  })
  return {
    async close() {
      ending.abort()
      await done
    },
  }
}

async function poll(
  { library, client, queue }: SqsQueue,
  abortSignal: AbortSignal,
): Promise<readonly ReceivedMessage[]> {
  const command = new library.ReceiveMessageCommand({
    QueueUrl: queue,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: WAIT_SECONDS,
    VisibilityTimeout: VISIBILITY_SECONDS,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['ApproximateReceiveCount'],
  })
  return (await client.send(command, { abortSignal })).Messages ?? []
}

async function finish(
  { library, client, queue: QueueUrl }: SqsQueue,
  { ReceiptHandle, Attributes }: ReceivedMessage,
  isTaken: boolean,
): Promise<void> {
  const deliveries = Number(Attributes?.['ApproximateReceiveCount'] ?? 1)
  const command = isTaken
    ? new library.DeleteMessageCommand({ QueueUrl, ReceiptHandle })
    : new library.ChangeMessageVisibilityCommand({
        QueueUrl,
        ReceiptHandle,
        VisibilityTimeout: Math.round(hidingMs(deliveries) / 1000),
      })
  await client.send(command)
}

function toReply({ MessageId = '', Body = '', MessageAttributes = {} }: ReceivedMessage): QueueReply {
  const headers = Object.fromEntries(
    Object.entries(MessageAttributes).flatMap(([name, { StringValue }]) =>
      StringValue === undefined ? [] : [[name, StringValue]],
    ),
  )
  return {
    id: MessageId,
    correlationId: headers['correlation_id'],
    headers,
    body: Buffer.from(Body, headers['content_encoding'] === BASE64 ? BASE64 : 'utf8'),
  }
}
