import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { setupProblem } from '../../../../../credentials/credential-problem.js'
import { isLoopbackName } from '../../../../../http-client/is-loopback.js'
import { unlessAborted } from '../../../../../platform/async/unless-aborted.js'
import {
  headersOf,
  type ProviderOptions,
  type QueueProvider,
  type QueueReply,
  type Receiving,
  type ReplyHandlers,
} from './queue-provider.js'

interface ReceivedMessage {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly headers: ReadonlyMap<Buffer | string, Buffer | string>
  readonly value: Buffer | undefined
}

interface Position {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

interface Producer {
  send(options: object): Promise<{ offsets?: readonly Position[] }>
  close(force: boolean): Promise<void>
}

interface Consumer {
  listOffsets(options: { topics: readonly string[] }): Promise<ReadonlyMap<string, readonly bigint[]>>
  consume(options: object): Promise<Readable>
  close(force: boolean): Promise<void>
}

interface Library {
  Producer: new (options: object) => Producer
  Consumer: new (options: object) => Consumer
}

const CONNECT_MS = 5000
const FETCH_WAIT_MS = 500

/**
 * Kafka. Every process reads all replies that are written after its first call, with a group of its own and without
 * commits, and ignores those of other processes. Replies that were written while it did not run are not read.
 */
export async function openKafka({ server, account = {}, owner }: ProviderOptions): Promise<QueueProvider> {
  const library = await loadPackage<Library>('@platformatic/kafka', owner)
  const options = {
    clientId: 'toolcrib',
    // One attempt: a message that may have arrived is not sent again.
    retries: 0,
    connectTimeout: CONNECT_MS,
    ...connectionOf(server, { account, owner }),
  }
  const producer = new library.Producer(options)
  const open = new Set<Receiving>()
  return {
    async send(topic, message, signal) {
      const sending = producer.send({
        messages: [
          {
            topic,
            key: Buffer.from(message.correlationId),
            value: message.body,
            headers: toHeaders(headersOf(message)),
          },
        ],
        acks: -1,
      })
      const { offsets: [position] = [] } = await unlessAborted(sending.catch(rethrow), signal)
      return {
        id: position ? idOf(position) : message.correlationId,
        native: position ? { partition: position.partition, offset: String(position.offset) } : {},
      }
    },
    async receive(topic, handlers) {
      const consumer = new library.Consumer({ ...options, groupId: `toolcrib-${randomUUID()}`, retries: 3 })
      const receiving = await receive(consumer, topic, handlers)
      open.add(receiving)
      return receiving
    },
    async close() {
      await Promise.all([...open].map((each) => each.close()))
      await producer.close(true).catch(() => {})
    },
  }
}

const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']

function connectionOf(
  server: string,
  { account, owner }: { account: Readonly<Record<string, unknown>>; owner: ProviderOptions['owner'] },
): object {
  const { brokers, username, password, sasl_mechanism: mechanism = 'PLAIN', ssl } = account
  const named = server === '' ? brokers : server
  const bootstrapBrokers = (Array.isArray(named) ? named : String(named ?? '').split(',')).map((each) =>
    String(each).trim(),
  )
  if (!bootstrapBrokers.every((each) => /^[^\s:]+:\d+$|^\[[\da-f:]+\]:\d+$/i.test(each)))
    throw setupProblem(
      `"${owner.entry}" needs the brokers of Kafka for "${owner.name}": write host:port, separated by commas, into "brokers" of its secret.`,
    )
  if (!MECHANISMS.includes(String(mechanism)))
    throw setupProblem(
      `"${owner.entry}" cannot log in to Kafka for "${owner.name}": "sasl_mechanism" of its secret must be ${MECHANISMS.join(', ')}.`,
    )
  const isLocal = bootstrapBrokers.every((each) => isLoopbackName(each.replace(/:\d+$/, '')))
  return {
    bootstrapBrokers,
    // Without encryption only where the secret says so: the password would be readable.
    ...((ssl === undefined ? !isLocal : ssl === true || ssl === 'true') && { tls: {} }),
    ...(typeof username === 'string' && { sasl: { mechanism, username, password: String(password ?? '') } }),
  }
}

async function receive(
  consumer: Consumer,
  topic: string,
  { onReply, onFailed }: ReplyHandlers,
): Promise<Receiving> {
  let isClosed = false
  try {
    // The position is fixed before the first request is sent: its reply comes after it.
    const ends = (await consumer.listOffsets({ topics: [topic] }).catch(rethrow)).get(topic) ?? []
    const stream = await consumer.consume({
      topics: [topic],
      mode: 'manual',
      offsets: ends.map((offset, partition) => ({ topic, partition, offset })),
      autocommit: false,
      maxWaitTime: FETCH_WAIT_MS,
    })
    stream.on('data', (message: ReceivedMessage) => {
      // Nothing is committed: what is left here is still there for others.
      onReply(toReply(message)).catch(() => {})
    })
    stream.on('error', (error) => {
      if (isClosed) return
      isClosed = true
      onFailed(error)
      consumer.close(true).catch(() => {})
    })
  } catch (error) {
    await consumer.close(true).catch(() => {})
    throw error
  }
  return {
    async close() {
      if (isClosed) return
      isClosed = true
      await consumer.close(true).catch(() => {})
    },
  }
}

function toReply(message: ReceivedMessage): QueueReply {
  const headers = Object.fromEntries(
    [...message.headers].map(([name, value]) => [String(name), String(value)]),
  )
  return {
    id: idOf(message),
    correlationId: headers['correlation_id'],
    headers,
    body: message.value ?? Buffer.alloc(0),
  }
}

/** The library finds out by itself that there is no such topic, and has no code for it. */
function rethrow(error: Error & { code?: unknown }): never {
  const isUnknown = error.code === 'PLT_KFK_USER' && error.message.startsWith('Unknown topic')
  throw isUnknown
    ? Object.assign(new Error('', { cause: error }), { code: 'UNKNOWN_TOPIC_OR_PARTITION' })
    : error
}

const idOf = ({ topic, partition, offset }: Position): string => `${topic}/${partition}/${offset}`

function toHeaders(headers: Readonly<Record<string, string>>): Map<Buffer, Buffer> {
  return new Map(Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]))
}
