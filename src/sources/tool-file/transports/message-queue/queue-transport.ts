import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../../catalog/native.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import { unconfirmedCancel } from '../../../../catalog/unconfirmed-cancel.js'
import type { SetupProblem } from '../../../../catalog/tool-draft.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { cleanText } from '../../../../platform/text/clean-text.js'
import { failure } from '../../../http/to-failure.js'
import { AML } from '../../native.js'
import { acceptedOutput, unfillableFields, type Acceptance } from '../accepted-output.js'
import { cloudFailure } from '../cloud-failure.js'
import { LONG_TIMEOUT_MS, ownLimitMs, TIMEOUT_MS } from '../time-limit.js'
import type { OpenedTransport, ToolOn, Transport, TransportEnvironment } from '../transport.js'
import { MessageUnfit } from './message-codec.js'
import type { QueueReply, SentMessage } from './providers/queue-provider.js'
import { sharedQueues, type Queues, type ToolQueue } from './queues.js'
import type { ReplyConsumer, WaitingCall } from './reply-consumer.js'

const MAX_REPLY_CHARS = 2_000

type QueueTool = ToolOn<'message-queue'>

/** Tools that are called by a message. `queues` may be shared with others who send over the same queues. */
export function queueTransport(
  environment: TransportEnvironment,
  queues: Queues = sharedQueues(environment),
): Transport<'message-queue'> {
  const closing = new AbortController()
  return {
    type: 'message-queue',
    open: (tool) => openTool(tool, queues.open(tool), { ...environment, closing: closing.signal }),
    async close() {
      closing.abort(new Error('The source of the tool was closed.'))
      await queues.close()
    },
  }
}

function openTool(
  tool: QueueTool,
  queue: ToolQueue,
  { entry, closing }: TransportEnvironment & { readonly closing: AbortSignal },
): OpenedTransport {
  const { provider, queue_url, response_queue_url } = tool.transport
  const unfillable = queue.replies ? [] : unfillableFields(tool.output, acceptance(''))
  const problem: SetupProblem | undefined =
    unfillable.length === 0
      ? undefined
      : {
          message: `"${entry}" cannot call "${tool.toolId}": its output requires ${unfillable.map((name) => `"${name}"`).join(', ')}, and without "response_queue_url" only "message_id" and "status" are known.`,
          code: 'toolcrib.setup_required',
        }
  return {
    execution: 'hybrid',
    hosts: queue.hosts,
    missing: () => problem ?? queue.missing(),
    timeoutMs: timeoutOf(queue),
    // Amazon drops a message with the same id.
    ...(provider === 'aws' && queue_url.endsWith('.fifo') && { isIdempotent: true }),
    call: (input, context) =>
      new QueueCall(
        { tool, queue, context, closing },
        {
          source: AML,
          transport: 'message-queue',
          provider,
          queue_url,
          correlation_id: context.invocationId,
          ...(response_queue_url !== undefined && { response_queue_url }),
        },
      ).run(input),
  }
}

/** An answer takes longer than the sending of a message. */
const timeoutOf = ({ replies }: ToolQueue): number => (replies ? LONG_TIMEOUT_MS : TIMEOUT_MS)

const acceptance = (id: string): Acceptance => ({
  idFields: ['message_id', 'messageId', 'id'],
  id,
  states: ['queued', 'sent', 'accepted', 'pending'],
})

interface CallParts {
  readonly tool: QueueTool
  readonly queue: ToolQueue
  readonly context: ExecuteContext
  /** Aborted when the transport is closed. */
  readonly closing: AbortSignal
}

/** One call: a message, and where there is a response queue the wait for its reply. */
class QueueCall {
  readonly #tool: QueueTool
  readonly #queue: ToolQueue
  readonly #context: ExecuteContext
  readonly #timeoutMs: number
  #native: NativeFacts
  #wasSent = false

  /** Aborted when the call is canceled or the transport is closed. */
  readonly #stopped: AbortSignal

  constructor({ tool, queue, context, closing }: CallParts, native: NativeFacts) {
    this.#stopped = AbortSignal.any([context.signal, closing])
    this.#tool = tool
    this.#queue = queue
    this.#context = context
    this.#native = native
    this.#timeoutMs = tool.transport.timeout_ms ?? timeoutOf(queue)
  }

  async run(input: Readonly<Record<string, unknown>>): Promise<ToolOutput> {
    const { replies } = this.#queue
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), ownLimitMs(this.#timeoutMs))
    const signal = AbortSignal.any([this.#stopped, limit.signal])
    try {
      if (replies) return await this.#sendAndWait(input, replies, signal)
      const sent = await this.#send(input, signal)
      return toolOutput({
        structured: acceptedOutput(this.#tool.output, acceptance(sent.id)),
        native: this.#native,
      })
    } catch (error) {
      throw this.#toFailure(error, limit.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
  }

  async #send(input: unknown, signal: AbortSignal): Promise<SentMessage> {
    const { invocationId: correlationId, idempotencyKey } = this.#context
    if (signal.aborted) throw signal.reason
    this.#wasSent = true
    const sent = await this.#queue.send(input, { correlationId, idempotencyKey }, signal)
    this.#native = { ...this.#native, message_id: sent.id, ...sent.native }
    return sent
  }

  async #sendAndWait(input: unknown, replies: ReplyConsumer, signal: AbortSignal): Promise<ToolOutput> {
    const id = this.#context.invocationId
    let settle: { resolve(reply: QueueReply): void; reject(error: unknown): void } | undefined
    const replied = new Promise<QueueReply>((resolve, reject) => (settle = { resolve, reject }))
    // A failure before anyone waits for it is the failure of what comes before.
    replied.catch(() => {})
    const stop = (): void => settle!.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const receiving = replies.expect(id, this.#waitingCall(settle!)).catch((error: unknown) => {
        throw new RepliesLost(error)
      })
      await Promise.race([receiving, replied])
      const { id: messageId } = await this.#send(input, signal)
      this.#context.progress({ message: `Message ${messageId} was sent; waiting for its answer.` })
      return await this.#toOutput(await replied)
    } finally {
      signal.removeEventListener('abort', stop)
      replies.release(id)
    }
  }

  #waitingCall(settle: { resolve(reply: QueueReply): void; reject(error: unknown): void }): WaitingCall {
    return {
      onReply: (reply) => {
        if (reply.headers['status'] === 'progress') {
          this.#report(reply)
          return false
        }
        settle.resolve(reply)
        return true
      },
      onFailed: (error) => settle.reject(new RepliesLost(error)),
      toLateAnswer: (reply) => this.#queue.codec.decode(reply).catch(() => reply.body.toString('utf8')),
    }
  }

  #report({ body }: QueueReply): void {
    try {
      const said = JSON.parse(body.toString('utf8')) as unknown
      const { message, percent } = isObject(said) ? said : {}
      this.#context.progress({
        ...(typeof message === 'string' && { message: cleanText(message, 500) }),
        ...(typeof percent === 'number' && { percent }),
      })
    } catch {
      this.#context.progress({ message: cleanText(body.toString('utf8'), 500) })
    }
  }

  async #toOutput(reply: QueueReply): Promise<ToolOutput> {
    this.#native = { ...this.#native, reply_message_id: reply.id }
    const { toolId } = this.#tool
    const answer = await this.#queue.codec.decode(reply).catch((error: Error) => {
      throw failure(`The answer to "${toolId}" cannot be read: ${error.message}; the call has run.`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.server_refused',
        nothingHappened: false,
        native: this.#native,
      })
    })
    if (reply.headers['status'] !== 'error') return toolOutput({ structured: answer, native: this.#native })
    const { message, code } = isObject(answer) ? answer : { message: answer }
    const words = typeof message === 'string' ? message : JSON.stringify(answer)
    throw failure(`"${toolId}" failed: ${cleanText(words, MAX_REPLY_CHARS).trim()}`, {
      errorClass: 'execution_failed',
      code: 'toolcrib.tool_said_error',
      native: { ...this.#native, error: answer, ...(code !== undefined && { code }) },
    })
  }

  #toFailure(error: unknown, isTimedOut: boolean): unknown {
    const { toolId, type } = this.#tool
    const { title } = this.#queue
    const isReadOnly = type === 'retrieval'
    const { invocationId } = this.#context
    if (error instanceof Error && 'errorClass' in error) return error
    if (error instanceof MessageUnfit)
      return failure(`"${toolId}" is not called: ${error.message}.`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.request_invalid',
        nothingHappened: true,
        needsOtherArguments: true,
        native: this.#native,
      })
    const { aborted, reason } = this.#stopped
    if (aborted) return this.#wasSent && !isReadOnly ? unconfirmedCancel(title) : reason
    if (isTimedOut) return this.#timedOut(invocationId)
    return cloudFailure(error instanceof RepliesLost ? error.cause : error, {
      service: title,
      toolId,
      isReadOnly,
      native: this.#native,
      ...(error instanceof RepliesLost
        ? { act: 'receive from the response queue', field: 'response_queue_url', hasRun: this.#wasSent }
        : { act: 'send to the queue', field: 'queue_url' }),
    })
  }

  #timedOut(invocationId: string): Error {
    const { toolId } = this.#tool
    const seconds = this.#timeoutMs / 1000
    const isKnown = 'message_id' in this.#native
    const words = isKnown
      ? `No answer to "${toolId}" came within ${seconds} s; the call may have run. An answer that comes later is recorded with ${invocationId}.`
      : `${this.#queue.title} did not take the message of "${toolId}" within ${seconds} s; the call ${this.#wasSent ? 'may have run' : 'has not run'}.`
    return failure(words, {
      errorClass: 'timeout',
      code: 'toolcrib.timeout',
      nothingHappened: !this.#wasSent,
      native: this.#native,
    })
  }
}

/** The response queue cannot be read while a call waits. */
class RepliesLost extends Error {
  override readonly name = 'RepliesLost'
  constructor(cause: unknown) {
    super('The response queue cannot be read.', { cause })
  }
}
