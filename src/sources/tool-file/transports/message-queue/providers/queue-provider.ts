import type { AccountFields } from '../../../../../credentials/credential-settings.js'
import type { PackageUser } from '../../../../../credentials/cloud/load-package.js'

/** A message on its way out. */
export interface OutgoingMessage {
  readonly body: Buffer
  /** Whether the body is text, which every queue can carry as it is. */
  readonly isText: boolean
  readonly contentType: string
  /** The same for every attempt at a call: queues that can do so drop the second message. */
  readonly idempotencyKey: string
  readonly correlationId: string
  /** The address of the response queue, as the tool file has it. */
  readonly replyTo?: string | undefined
  /** Further attributes, headers or properties. */
  readonly headers: Readonly<Record<string, string>>
}

export interface SentMessage {
  /** The id by which the provider knows the message. */
  readonly id: string
  /** Further ids of the provider. */
  readonly native: Readonly<Record<string, unknown>>
}

/** A message of a response queue. */
export interface QueueReply {
  readonly id: string
  readonly correlationId: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `left`: it belongs to another process, which must be able to receive it. */
export type Disposition = 'taken' | 'left'

export interface ReplyHandlers {
  onReply(reply: QueueReply): Promise<Disposition>
  /** Nothing more is received. Called at most once, and not after `close`. */
  onFailed(error: unknown): void
}

export interface Receiving {
  close(): Promise<void>
}

/** One connection to a provider of queues. Rejections are the errors of its library. */
export interface QueueProvider {
  send(queue: string, message: OutgoingMessage, signal: AbortSignal): Promise<SentMessage>
  /** Resolves when every reply that is sent from now on will be received. */
  receive(queue: string, handlers: ReplyHandlers): Promise<Receiving>
  close(): Promise<void>
}

export interface ProviderOptions {
  /** What to connect to: the `server` of a `QueueAddress`. */
  readonly server: string
  /** Absent: the identity of this process. */
  readonly account: AccountFields | undefined
  readonly env: NodeJS.ProcessEnv
  readonly owner: PackageUser
}

export type OpenProvider = (options: ProviderOptions) => Promise<QueueProvider>

/** The headers of every message, under the names that all providers use. */
export function headersOf({ correlationId, replyTo, idempotencyKey, contentType, headers }: OutgoingMessage) {
  return {
    ...headers,
    correlation_id: correlationId,
    idempotency_key: idempotencyKey,
    content_type: contentType,
    ...(replyTo !== undefined && { reply_to: replyTo }),
  }
}

/** Left more often than this, a reply is hidden for a while: its process may be gone. */
const QUICK_DELIVERIES = 5
const LONGEST_HIDING_MS = 60_000

/** How long a reply that was left is hidden from everyone, by how often it was delivered so far. */
export function hidingMs(deliveries: number): number {
  if (deliveries <= QUICK_DELIVERIES) return 0
  return Math.min(LONGEST_HIDING_MS, 1000 * 2 ** Math.min(deliveries - QUICK_DELIVERIES - 1, 10))
}
