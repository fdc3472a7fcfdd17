import { describe, expect, it, vi } from 'vitest'
import type {
  QueueReply,
  ReplyHandlers,
} from '../../../src/sources/tool-file/transports/message-queue/providers/queue-provider.js'
import { createReplyConsumer } from '../../../src/sources/tool-file/transports/message-queue/reply-consumer.js'

let replies = 0
const replyTo = (correlationId: string | undefined, text = '{}'): QueueReply => ({
  id: `reply-${++replies}`,
  correlationId,
  headers: {},
  body: Buffer.from(text),
})

const failureWith = (name: string): Error => Object.assign(new Error(name), { name })

function openConsumer() {
  let handlers: ReplyHandlers | undefined
  const close = vi.fn(async () => {})
  const start = vi.fn(async (given: ReplyHandlers) => {
    handlers = given
    return { close }
  })
  const renew = vi.fn(async () => false)
  const recordLate = vi.fn(async (): Promise<'recorded' | 'open' | 'unknown'> => 'unknown')
  const onProblem = vi.fn()
  const consumer = createReplyConsumer({ start, renew, recordLate, onProblem })
  const expectReply = async (id: string) => {
    const onReply = vi.fn(() => true)
    const onFailed = vi.fn()
    await consumer.expect(id, { onReply, onFailed, toLateAnswer: async () => `late ${id}` })
    return { onReply, onFailed }
  }
  const receive = (reply: QueueReply) => handlers!.onReply(reply)
  const fail = (error: Error) => handlers!.onFailed(error)
  return { consumer, start, close, renew, recordLate, onProblem, expectReply, receive, fail }
}

describe('[AML-FILE-09] the consumer of a response queue', () => {
  it('is started once, and hands each reply to the call that waits for it', async () => {
    const { start, expectReply, receive } = openConsumer()
    const [a, b] = await Promise.all([expectReply('a'), expectReply('b')])
    expect(start).toHaveBeenCalledTimes(1)
    const reply = replyTo('b')
    expect(await receive(reply)).toBe('taken')
    expect([a.onReply.mock.calls, b.onReply.mock.calls]).toEqual([[], [[reply]]])
    // Delivered twice: it is the same answer.
    expect(await receive(reply)).toBe('taken')
    expect(b.onReply).toHaveBeenCalledTimes(1)
  })

  it('leaves replies of others, unless their calls have ended', async () => {
    const { expectReply, receive, recordLate } = openConsumer()
    await expectReply('a')
    expect(await receive(replyTo('foreign'))).toBe('left')
    expect(await receive(replyTo(undefined))).toBe('left')
    recordLate.mockResolvedValue('open')
    expect(await receive(replyTo('foreign'))).toBe('left')
    recordLate.mockResolvedValue('recorded')
    const reply = replyTo('foreign', '{"text":1}')
    expect(await receive(reply)).toBe('taken')
    expect(recordLate).toHaveBeenLastCalledWith('foreign', { message_id: reply.id, answer: { text: 1 } })
  })

  it('records a reply to a call that gave up, once the call is recorded as ended', async () => {
    const { consumer, expectReply, receive, recordLate } = openConsumer()
    await expectReply('a')
    consumer.release('a')
    recordLate.mockResolvedValueOnce('open').mockResolvedValueOnce('recorded')
    const reply = replyTo('a')
    expect(await receive(reply)).toBe('taken')
    expect(recordLate).toHaveBeenLastCalledWith('a', { message_id: reply.id, answer: 'late a' })
  })

  it('offers replies without a waiting call to listeners', async () => {
    const { consumer, receive, start } = openConsumer()
    const listener = vi.fn(async ({ correlationId }: QueueReply) => correlationId === 'question')
    const stop = consumer.listen(listener)
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(1))
    expect(await receive(replyTo('question'))).toBe('taken')
    expect(await receive(replyTo('other'))).toBe('left')
    stop()
    expect(await receive(replyTo('question'))).toBe('left')
  })

  it('fails calls at once where the queue cannot be read, and lets them wait where it is away', async () => {
    const { expectReply, fail } = openConsumer()
    const a = await expectReply('a')
    const error = failureWith('QueueDoesNotExist')
    fail(error)
    await vi.waitFor(() => expect(a.onFailed).toHaveBeenCalledWith(error))
    const b = await expectReply('b')
    fail(failureWith('TimeoutError'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(b.onFailed).not.toHaveBeenCalled()
  })

  it('starts again with a secret that was rotated', async () => {
    const { expectReply, fail, renew, start } = openConsumer()
    const a = await expectReply('a')
    renew.mockResolvedValueOnce(true)
    fail(failureWith('InvalidClientTokenId'))
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2))
    expect(a.onFailed).not.toHaveBeenCalled()
  })

  it('receives nothing after it is closed', async () => {
    const { consumer, expectReply, close } = openConsumer()
    await expectReply('a')
    await consumer.close()
    expect(close).toHaveBeenCalledTimes(1)
  })
})
