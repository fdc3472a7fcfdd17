import { isLoopbackName } from '../../../../http-client/is-loopback.js'
import type { QueueTransport } from '../../compiled.js'

export interface QueueAddress {
  /** What a connection is made to: an origin, a project, a namespace or brokers. Empty: the credential or its library says it. */
  readonly server: string
  /** The queue, topic or subscription as the library of the provider takes it. */
  readonly queue: string
  readonly hosts: readonly string[]
}

export interface AddressUse {
  readonly field: 'queue_url' | 'response_queue_url'
  readonly env: NodeJS.ProcessEnv
}

/** Reads `queue_url` or `response_queue_url`; the rest of a sentence where it cannot be used. */
export function parseQueueAddress(
  provider: QueueTransport['provider'],
  text: string,
  use: AddressUse,
): QueueAddress | string {
  switch (provider) {
    case 'aws':
      return sqsAddress(text) ?? 'must be the https address of a queue of Amazon SQS'
    case 'gcp':
      return (
        pubsubAddress(text, use) ??
        (use.field === 'queue_url'
          ? 'must be projects/<project>/topics/<topic>'
          : 'must be projects/<project>/subscriptions/<subscription>')
      )
    case 'azure':
      return serviceBusAddress(text, use) ?? 'must be https://<namespace>.servicebus.windows.net/<queue>'
    case 'kafka':
      return kafkaAddress(text) ?? 'must be a topic, or kafka://<host>:<port>/<topic>'
  }
}

function sqsAddress(text: string): QueueAddress | undefined {
  const url = safeUrl(text, ['https:'])
  if (!url || url.pathname === '/') return undefined
  return { server: url.origin, queue: text, hosts: [url.hostname] }
}

function pubsubAddress(text: string, { field, env }: AddressUse): QueueAddress | undefined {
  const kind = field === 'queue_url' ? 'topics' : 'subscriptions'
  const [, queue, project, found] =
    /^(?:https:\/\/pubsub\.googleapis\.com\/v1\/)?(projects\/([^/]+)\/(topics|subscriptions)\/[^/]+)$/.exec(
      text,
    ) ?? []
  if (found !== kind || queue === undefined || project === undefined) return undefined
  const { PUBSUB_EMULATOR_HOST: emulator } = env
  const url = emulator ? `http://${emulator.replace(/^https?:\/\//, '')}` : 'https://pubsub.googleapis.com'
  return { server: project, queue, hosts: URL.canParse(url) ? [new URL(url).hostname] : [] }
}

function serviceBusAddress(text: string, { field }: AddressUse): QueueAddress | undefined {
  // `URL` gives a host only to schemes that it knows.
  const url = safeUrl(text.replace(/^(?:sb|amqps):/, 'https:'), ['https:'])
  const [, queue] = /^\/([^?#]+?)\/?$/.exec(url?.pathname ?? '') ?? []
  if (!url || queue === undefined) return undefined
  const isSubscription = /\/subscriptions\//i.test(queue)
  if (isSubscription && field === 'queue_url') return undefined
  return { server: url.host, queue: decodeURIComponent(queue), hosts: [url.hostname] }
}

const TOPIC = /^[\w.-]{1,249}$/

function kafkaAddress(text: string): QueueAddress | undefined {
  if (TOPIC.test(text)) return { server: '', queue: text, hosts: [] }
  const [, brokers, topic] = /^kafka:\/\/([^/@]+)\/([^/]+)$/.exec(text) ?? []
  if (brokers === undefined || topic === undefined || !TOPIC.test(topic)) return undefined
  const list = brokers.split(',')
  if (!list.every((each) => URL.canParse(`http://${each}`) && /:\d+$/.test(each))) return undefined
  return { server: brokers, queue: topic, hosts: list.map((each) => new URL(`http://${each}`).hostname) }
}

/** An address of this machine may be without encryption, and none holds a password. */
function safeUrl(text: string, protocols: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isSafe =
    protocols.includes(url.protocol) || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  return isSafe && url.username === '' && url.password === '' ? url : undefined
}
