import { gcpOptions } from '../../../../../credentials/cloud/gcp-options.js'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { unlessAborted } from '../../../../../platform/async/unless-aborted.js'
import {
  headersOf,
  hidingMs,
  type ProviderOptions,
  type QueueProvider,
  type Receiving,
  type ReplyHandlers,
} from './queue-provider.js'

interface ReceivedMessage {
  readonly id: string
  readonly data: Buffer
  readonly attributes: Readonly<Record<string, string>>
  ack(): void
  nack(): void
  modAck(seconds: number): void
}

interface Subscription {
  on(event: 'message', listener: (message: ReceivedMessage) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  removeAllListeners(): void
  close(): Promise<void>
}

interface Client {
  topic(
    name: string,
    options: object,
  ): { publishMessage(message: { data: Buffer; attributes: object }): Promise<string> }
  subscription(name: string, options: object): Subscription
  close(): Promise<void>
}

interface Library {
  PubSub: new (options: object) => Client
}

/** Replies that this process may hold unsettled. */
const MAX_REPLIES = 100
const MAX_REMEMBERED = 1000

/**
 * Google Pub/Sub. Replies are acknowledged when they are taken; a reply that is left is delivered to another subscriber
 * at once, and after several deliveries only from time to time.
 */
export async function openPubsub(options: ProviderOptions): Promise<QueueProvider> {
  const { server: projectId, account, env, owner } = options
  const library = await loadPackage<Library>('@google-cloud/pubsub', owner)
  const { PUBSUB_EMULATOR_HOST: apiEndpoint } = env
  const client = new library.PubSub({
    projectId,
    ...gcpOptions(account),
    ...(apiEndpoint && { apiEndpoint }),
  })
  const open = new Set<Receiving>()
  return {
    async send(topic, message, signal) {
      const sender = client.topic(topic, {
        // Each message at once, and once only.
        batching: { maxMessages: 1 },
        gaxOpts: { retry: null },
      })
      const sending = sender.publishMessage({ data: message.body, attributes: headersOf(message) })
      return { id: await unlessAborted(sending, signal), native: {} }
    },
    async receive(name, handlers) {
      const subscription = client.subscription(name, { flowControl: { maxMessages: MAX_REPLIES } })
      const receiving = receive(subscription, handlers)
      open.add(receiving)
      return receiving
    },
    async close() {
      await Promise.all([...open].map((each) => each.close()))
      await client.close()
    },
  }
}

function receive(subscription: Subscription, { onReply, onFailed }: ReplyHandlers): Receiving {
  /** How often each reply was left here: without a dead-letter topic, Pub/Sub does not count deliveries. */
  const left = new Map<string, number>()
  let isClosed = false

  async function settle(message: ReceivedMessage): Promise<void> {
    const { id, attributes, data } = message
    const reply = { id, correlationId: attributes['correlation_id'], headers: attributes, body: data }
    if ((await onReply(reply)) === 'taken') {
      left.delete(id)
      return message.ack()
    }
    const deliveries = (left.get(id) ?? 0) + 1
    if (left.size >= MAX_REMEMBERED) left.clear()
    left.set(id, deliveries)
    const hiddenMs = hidingMs(deliveries)
    if (hiddenMs === 0) message.nack()
    else message.modAck(Math.round(hiddenMs / 1000))
  }

  subscription.on('message', (message) => {
    settle(message).catch(() => message.nack())
  })
  subscription.on('error', (error) => {
    if (isClosed) return
    isClosed = true
    onFailed(error)
    subscription.close().catch(() => {})
  })
  return {
    async close() {
      if (isClosed) return
      isClosed = true
      await subscription.close().catch(() => {})
    },
  }
}
