import type { AnswerChannel, ChannelAnswer, TakeAnswer } from '../../../catalog/answered-by.js'
import { isObject } from '../../../platform/json/is-object.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { QueueReply } from '../transports/message-queue/providers/queue-provider.js'
import type { ToolQueue } from '../transports/message-queue/queues.js'
import type { OpenedTransport, ToolOn, TransportEnvironment } from '../transports/transport.js'
import { questionMessage } from './question-message.js'

const MAX_FEEDBACK_CHARS = 2_000

type QueueTool = ToolOn<'message-queue'>

/** Questions go to the queue of the tool; answers come from its response queue, if it has one. */
export function openQueueChannel(
  tool: QueueTool,
  queue: ToolQueue,
  environment: TransportEnvironment,
): Pick<OpenedTransport, 'hosts' | 'missing' | 'person'> {
  const { replies } = queue
  return {
    hosts: queue.hosts,
    missing: queue.missing,
    person: {
      // By the id of the question, and not of the call: a call that is asked about again is another question.
      announce: (question, { idempotencyKey, signal }) =>
        queue.send(questionMessage(question), { correlationId: question.approvalId, idempotencyKey }, signal),
      ...(replies && {
        answers: {
          name: channelName(tool.transport.response_queue_url!),
          listen: (take, signal) =>
            listenOn(replies, (reply) => takeReply(reply, { tool, queue, take, environment }), signal),
        } satisfies AnswerChannel,
      }),
    },
  }
}

/** The last part of the address: `https://sqs…/123/answers` and `projects/p/subscriptions/answers` are `answers`. */
export function channelName(address: string): string {
  return `queue:${
    address
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? address
  }`
}

function listenOn(
  replies: NonNullable<ToolQueue['replies']>,
  listener: (reply: QueueReply) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const stop = replies.listen(listener)
  return new Promise((resolve) => signal.addEventListener('abort', () => (stop(), resolve()), { once: true }))
}

interface Taking {
  readonly tool: QueueTool
  readonly queue: ToolQueue
  readonly take: TakeAnswer
  readonly environment: TransportEnvironment
}

/** Whether the reply is used up. One that is about no question of this tool is left for others. */
async function takeReply(reply: QueueReply, { tool, queue, take, environment }: Taking): Promise<boolean> {
  const { correlationId } = reply
  if (correlationId === undefined || reply.headers['status'] === 'progress') return false
  const report = (why: string): void =>
    environment.onProblem(
      `An answer to ${correlationId} came over the response queue of "${tool.toolId}" and was not taken: ${why}`,
    )
  let answer: ChannelAnswer
  try {
    answer = toAnswer(correlationId, await queue.codec.decode(reply), reply)
  } catch (error) {
    // Without content it is refused, and shows whether there is such a question.
    const outcome = await take({ correlationId })
    if (!outcome.taken && !outcome.isKnown) return false
    report(`${errorMessage(error)}.`)
    return true
  }
  const outcome = await take(answer)
  if (outcome.taken) return true
  if (!outcome.isKnown) return false
  report(outcome.message)
  return true
}

const REJECTIONS: ReadonlySet<string | undefined> = new Set(['rejected', 'error'])

/** The body is the content of the form; with the header `status: rejected` it says why there is none. */
function toAnswer(correlationId: string, body: unknown, { headers }: QueueReply): ChannelAnswer {
  if (!REJECTIONS.has(headers['status'])) return { correlationId, content: body }
  const { feedback, message } = isObject(body) ? body : { feedback: body, message: undefined }
  const words = [feedback, message].find((each) => typeof each === 'string')
  return {
    correlationId,
    rejected: typeof words === 'string' ? { feedback: cleanText(words, MAX_FEEDBACK_CHARS).trim() } : {},
  }
}
