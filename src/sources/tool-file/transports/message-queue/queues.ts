import type { SetupProblem } from '../../../../catalog/tool-draft.js'
import { openCloudIdentity, type CloudIdentity } from '../../../../credentials/cloud/cloud-identity.js'
import {
  packagesMissing,
  type CloudPackage,
  type PackageUser,
} from '../../../../credentials/cloud/load-package.js'
import type { AccountFields } from '../../../../credentials/credential-settings.js'
import { canonicalJson } from '../../../../platform/json/canonical-json.js'
import { withTimeLimit } from '../../../../platform/async/with-time-limit.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import type { QueueTransport } from '../../compiled.js'
import type { ToolOn, TransportEnvironment } from '../transport.js'
import { avroCodec, jsonCodec, type MessageCodec } from './message-codec.js'
import { parseQueueAddress, type QueueAddress } from './queue-address.js'
import type { OpenProvider, QueueProvider, SentMessage } from './providers/queue-provider.js'
import { createReplyConsumer, type ReplyConsumer } from './reply-consumer.js'

interface ProviderEntry {
  /** Its name in sentences. */
  readonly title: string
  readonly packages: readonly CloudPackage[]
  readonly open: OpenProvider
}

const PROVIDERS: Readonly<Record<QueueTransport['provider'], ProviderEntry>> = {
  aws: {
    title: 'Amazon SQS',
    packages: ['@aws-sdk/client-sqs'],
    open: async (options) => (await import('./providers/sqs.js')).openSqs(options),
  },
  gcp: {
    title: 'Google Pub/Sub',
    packages: ['@google-cloud/pubsub'],
    open: async (options) => (await import('./providers/pubsub.js')).openPubsub(options),
  },
  azure: {
    title: 'Azure Service Bus',
    packages: ['@azure/service-bus', '@azure/identity'],
    open: async (options) => (await import('./providers/service-bus.js')).openServiceBus(options),
  },
  kafka: {
    title: 'Kafka',
    packages: ['@platformatic/kafka'],
    open: async (options) => (await import('./providers/kafka.js')).openKafka(options),
  },
}

export interface MessageIds {
  /** Replies carry it; the id of the invocation. */
  readonly correlationId: string
  readonly idempotencyKey: string
}

/** The queues of one tool. Rejections are errors of the provider's library, or credential problems. */
export interface ToolQueue {
  /** The name of the provider in sentences. */
  readonly title: string
  readonly hosts: readonly string[]
  readonly codec: MessageCodec
  missing(): SetupProblem | undefined
  /** Sends a value in the message format of the tool. */
  send(value: unknown, ids: MessageIds, signal: AbortSignal): Promise<SentMessage>
  /** The consumer of the response queue, shared by all tools that have it. Absent: the tool has none. */
  readonly replies?: ReplyConsumer | undefined
}

/** All queues of a folder: connections and consumers are opened once for all tools that use them. */
export interface Queues {
  open(tool: ToolOn<'message-queue'>): ToolQueue
  close(): Promise<void>
}

const shared = new WeakMap<TransportEnvironment, Queues>()

/** The queues of a folder: a response queue must have one consumer, also where calls and questions use it. */
export function sharedQueues(environment: TransportEnvironment): Queues {
  const queues = shared.get(environment) ?? createQueues(environment)
  shared.set(environment, queues)
  return queues
}

export function createQueues(environment: TransportEnvironment): Queues {
  const connections = new Map<string, Connection>()

  function connectionOf(tool: ToolOn<'message-queue'>, address: QueueAddress): Connection {
    const { provider, credentials } = tool.transport
    const key = canonicalJson([provider, credentials.settings, address.server])
    const found = connections.get(key)
    if (found) return found
    const owner = ownerOf(tool, environment)
    const identity = openCloudIdentity(credentials.settings, { ...environment, kind: provider, owner })
    const connection = createConnection({
      identity,
      environment,
      open: (account) =>
        PROVIDERS[provider].open({ server: address.server, account, env: environment.env, owner }),
    })
    connections.set(key, connection)
    return connection
  }

  return {
    open(tool) {
      const { transport } = tool
      const { title, packages } = PROVIDERS[transport.provider]
      const owner = ownerOf(tool, environment)
      const codec = transport.message_format === 'avro' ? avroCodec(tool.avro, owner) : jsonCodec()
      const request = addressOf(tool, 'queue_url', environment)
      const response =
        transport.response_queue_url === undefined
          ? undefined
          : addressOf(tool, 'response_queue_url', environment)
      const problem = [request, response].find((each) => typeof each === 'string') as string | undefined
      if (typeof request === 'string' || typeof response === 'string')
        return unusable({ title, codec, message: problem! })
      const connection = connectionOf(tool, request)
      const needed: readonly CloudPackage[] =
        transport.message_format === 'avro' ? [...packages, 'avsc'] : packages
      return {
        title,
        codec,
        hosts: [...new Set([...request.hosts, ...(response?.hosts ?? [])])],
        missing: () => packagesMissing(owner, needed) ?? connection.missing(),
        async send(value, ids, signal) {
          const encoded = await codec.encode(value)
          const { response_queue_url: replyTo } = transport
          const message = { ...encoded, ...ids, replyTo, headers: { tool_id: tool.toolId } }
          return connection.use((provider) => provider.send(request.queue, message, signal))
        },
        ...(response && { replies: connectionOf(tool, response).replies(response.queue) }),
      }
    },
    async close() {
      await Promise.all([...connections.values()].map((each) => each.close()))
      connections.clear()
    },
  }
}

const ownerOf = ({ toolId }: ToolOn<'message-queue'>, { entry }: TransportEnvironment): PackageUser => ({
  entry,
  name: toolId,
  part: 'tool',
})

function addressOf(
  { toolId, transport }: ToolOn<'message-queue'>,
  field: 'queue_url' | 'response_queue_url',
  { entry, env }: TransportEnvironment,
): QueueAddress | string {
  const parsed = parseQueueAddress(transport.provider, transport[field] ?? '', { field, env })
  return typeof parsed === 'string' ? `"${entry}" cannot call "${toolId}": its "${field}" ${parsed}.` : parsed
}

function unusable({
  title,
  codec,
  message,
}: {
  title: string
  codec: MessageCodec
  message: string
}): ToolQueue {
  const problem = { message, code: 'toolcrib.setup_required' } as const
  return {
    title,
    codec,
    hosts: [],
    missing: () => problem,
    send: () => Promise.reject(Object.assign(new Error(message), problem)),
  }
}

/** Libraries that wait for a service that is gone are left behind. */
const CLOSE_MS = 3_000

/** A connection with one identity to one server, and the consumers on it. */
interface Connection {
  missing(): SetupProblem | undefined
  use<Result>(work: (provider: QueueProvider) => Promise<Result>): Promise<Result>
  replies(queue: string): ReplyConsumer
  close(): Promise<void>
}

interface ConnectionOptions {
  readonly identity: CloudIdentity
  readonly environment: TransportEnvironment
  open(account: AccountFields | undefined): Promise<QueueProvider>
}

function createConnection({ identity, environment, open }: ConnectionOptions): Connection {
  /** By account: after a rotation, calls that still run end on the connection that they began with. */
  const providers = new Map<AccountFields | undefined, Promise<QueueProvider>>()
  const consumers = new Map<string, ReplyConsumer>()

  function providerFor(account: AccountFields | undefined): Promise<QueueProvider> {
    const opened = providers.get(account) ?? open(account)
    providers.set(account, opened)
    opened.catch(() => providers.delete(account))
    return opened
  }

  const use: Connection['use'] = (work) => identity.use(async (account) => work(await providerFor(account)))

  return {
    missing: () => identity.missing(),
    use,
    replies(queue) {
      const found = consumers.get(queue)
      if (found) return found
      const consumer = createReplyConsumer({
        start: (handlers) => use((provider) => provider.receive(queue, handlers)),
        renew: () => identity.renew(),
        recordLate: async (id, answer) => environment.recordLate?.(id, answer) ?? 'unknown',
        onProblem: (error) =>
          environment.onProblem(
            `The response queue of "${environment.entry}" cannot be read: ${errorMessage(error)}.`,
          ),
      })
      consumers.set(queue, consumer)
      return consumer
    },
    async close() {
      await withTimeLimit(Promise.all([...consumers.values()].map((each) => each.close())), CLOSE_MS)
      const opened = await Promise.allSettled(providers.values())
      const closing = opened.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined))
      await withTimeLimit(Promise.all(closing), CLOSE_MS)
    },
  }
}
