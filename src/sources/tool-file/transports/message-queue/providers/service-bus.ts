import { setTimeout as sleep } from 'node:timers/promises'
import { azureIdentity, type AzureTokens } from '../../../../../credentials/cloud/azure-identity.js'
import { loadPackage } from '../../../../../credentials/cloud/load-package.js'
import { isLoopbackName } from '../../../../../http-client/is-loopback.js'
import {
  headersOf,
  hidingMs,
  type ProviderOptions,
  type QueueProvider,
  type QueueReply,
  type Receiving,
  type ReplyHandlers,
} from './queue-provider.js'

interface ReceivedMessage {
  readonly messageId?: string | number | Buffer
  readonly correlationId?: string | number | Buffer
  readonly contentType?: string
  readonly body: unknown
  readonly deliveryCount?: number
  readonly applicationProperties?: Readonly<Record<string, unknown>>
}

interface Sender {
  sendMessages(message: object, options: { abortSignal: AbortSignal }): Promise<void>
}

interface Receiver {
  subscribe(
    handlers: {
      processMessage(message: ReceivedMessage): Promise<void>
      processError(problem: { error: Error; errorSource: string }): Promise<void>
    },
    options: object,
  ): { close(): Promise<void> }
  completeMessage(message: ReceivedMessage): Promise<void>
  abandonMessage(message: ReceivedMessage): Promise<void>
  close(): Promise<void>
}

interface Client {
  createSender(entity: string): Sender
  createReceiver(queue: string, options: object): Receiver
  createReceiver(topic: string, subscription: string, options: object): Receiver
  close(): Promise<void>
}

interface Library {
  ServiceBusClient: {
    new (namespace: string, credential: AzureTokens, options: object): Client
    new (connection: string, options: object): Client
  }
}

const OPTIONS = { retryOptions: { maxRetries: 0 } }
/** Replies are settled before their locks expire. */
const RECEIVER = { maxAutoLockRenewalDurationInMs: 0 }
const MAX_REPLIES = 50
/** A reply is held back for less time than its lock lasts. */
const LONGEST_HOLD_MS = 15_000

/**
 * Azure Service Bus. Replies are completed when they are taken. A reply that is left is abandoned, so that another
 * process receives it; Service Bus counts this as a delivery and dead-letters the reply after the maximum of the queue.
 */
export async function openServiceBus({ server, account, owner }: ProviderOptions): Promise<QueueProvider> {
  const library = await loadPackage<Library>('@azure/service-bus', owner)
  const client = isLoopbackName(new URL(`sb://${server}`).hostname)
    ? new library.ServiceBusClient(emulator(server), OPTIONS)
    : new library.ServiceBusClient(server, await azureIdentity(owner, account), OPTIONS)
  const senders = new Map<string, Sender>()
  const open = new Set<Receiving>()
  return {
    async send(entity, message, abortSignal) {
      const { body, contentType, correlationId, replyTo, idempotencyKey: messageId } = message
      const sender = senders.get(entity) ?? client.createSender(entity)
      senders.set(entity, sender)
      const properties = { messageId, correlationId, contentType, ...(replyTo !== undefined && { replyTo }) }
      await sender.sendMessages(
        { body, ...properties, applicationProperties: headersOf(message) },
        { abortSignal },
      )
      // The id is the sender's: a queue that detects duplicates drops a second message with the same id.
      return { id: messageId, native: {} }
    },
    async receive(entity, handlers) {
      const [queue, subscription] = entity.split(/\/subscriptions\//i) as [string, string | undefined]
      const receiver =
        subscription === undefined
          ? client.createReceiver(queue, RECEIVER)
          : client.createReceiver(queue, subscription, RECEIVER)
      const receiving = receive(receiver, handlers)
      open.add(receiving)
      return receiving
    },
    async close() {
      await Promise.all([...open].map((each) => each.close()))
      await client.close()
    },
  }
}

/** The emulator of Service Bus accepts this key, which its documentation states. */
function emulator(server: string): string {
  return `Endpoint=sb://${server};SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;`
}

function receive(receiver: Receiver, { onReply, onFailed }: ReplyHandlers): Receiving {
  const ending = new AbortController()
  let hasFailed = false

  async function settle(message: ReceivedMessage): Promise<void> {
    if ((await onReply(toReply(message))) === 'taken') return receiver.completeMessage(message)
    const holdMs = Math.min(LONGEST_HOLD_MS, hidingMs((message.deliveryCount ?? 0) + 1))
    await sleep(holdMs, undefined, { signal: ending.signal }).catch(() => {})
    return receiver.abandonMessage(message)
  }

  async function stop(): Promise<void> {
    await subscribed.close().catch(() => {})
    await receiver.close().catch(() => {})
  }

  const subscribed = receiver.subscribe(
    {
      // Where this fails, the lock expires, and the reply is delivered once more.
      processMessage: (message) => settle(message).catch(() => {}),
      async processError({ error, errorSource }) {
        if (errorSource !== 'receive' || ending.signal.aborted || hasFailed) return
        hasFailed = true
        ending.abort()
        onFailed(error)
        stop().catch(() => {})
      },
    },
    {
      autoCompleteMessages: false,
      maxConcurrentCalls: MAX_REPLIES,
      // Without it, the library tries a queue that does not exist again and again.
      abortSignal: ending.signal,
    },
  )
  return {
    async close() {
      ending.abort()
      if (!hasFailed) await stop()
    },
  }
}

function toReply(message: ReceivedMessage): QueueReply {
  const { messageId = '', correlationId, contentType, applicationProperties = {}, body } = message
  const headers: Record<string, string> = {
    ...(contentType !== undefined && { content_type: contentType }),
    ...Object.fromEntries(
      Object.entries(applicationProperties).map(([name, value]) => [name, String(value)]),
    ),
  }
  return {
    id: String(messageId),
    correlationId: correlationId === undefined ? headers['correlation_id'] : String(correlationId),
    headers,
    // The library parses a body that is JSON.
    body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}
