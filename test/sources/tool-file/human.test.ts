import { describe, expect, it } from 'vitest'
import type { AnswerTaken, ChannelAnswer, PersonQuestion } from 'toolcrib'
import { channelName, openQueueChannel } from '../../../src/sources/tool-file/human/queue-channel.js'
import { compileFolder } from '../../../src/sources/tool-file/compile/compile-folder.js'
import { createFolderTools } from '../../../src/sources/tool-file/tools/folder-tools.js'
import { createLiveSecrets } from '../../../src/redaction/live-secrets.js'
import type { QueueReply } from '../../../src/sources/tool-file/transports/message-queue/providers/queue-provider.js'
import type { ToolQueue } from '../../../src/sources/tool-file/transports/message-queue/queues.js'
import { until } from '../../until.js'
import { startApi } from '../openapi/start-api.js'
import { openTools } from './open-tools.js'
import { object, restTransport, text, toolFolder } from './write-tools.js'

const review = (transport: object) =>
  ({
    type: 'human',
    interface: {
      input: object({ order: text }, ['order']),
      output: object({ decision: { type: 'string', enum: ['refund', 'refuse'] } }, ['decision']),
    },
    transport,
  }) as never

const REVIEWERS = { reviewers: ['ana', 'ben'] }

describe('[AML-FILE-03] a human tool over rest-api', () => {
  it('asks a person, sends the question, and returns the answer', async () => {
    const api = await startApi(() => ({}))
    const folder = toolFolder()
    folder.tool('refund-review', review(restTransport(`${api.url}/v1`, 'POST /reviews/{order}')))
    const settings = { queue: 'refunds', reviewers: ['ana'], expiresMs: 60_000 }
    const { crib, surface, problems } = await openTools(
      { folder: folder.path, tools: { 'refund-review': settings } },
      REVIEWERS,
    )
    expect(problems).toEqual([])
    const call = crib.call(surface, { name: 'aml.shop.refund-review', input: { order: 'A1' } })
    const approval = (await call.pending())!
    const { approval_id: id, expires_at: expiresAt } = approval
    expect(approval).toMatchObject({
      queue: 'refunds',
      assigned_to: ['ana'],
      form: { required: ['decision'] },
    })
    expect(Date.parse(expiresAt) - Date.parse(approval.created_at)).toBe(60_000)
    await until(async () => (await crib.approvals.get(id))?.delivery?.announced_at !== undefined)
    const [sent] = api.requests
    expect(`${sent?.method} ${sent?.url}`).toBe('POST /v1/reviews/A1')
    expect(JSON.parse(sent!.body)).toMatchObject({
      question: {
        approval_id: id,
        invocation_id: call.invocationId,
        tool_id: 'aml.shop.refund-review',
        queue: 'refunds',
        input: { order: 'A1' },
        form: { type: 'object', required: ['decision'] },
        expires_at: expiresAt,
        reminder: 0,
      },
    })
    const answer = { approved: true, content: { decision: 'refund' } }
    expect(await crib.approvals.answer(id, { ...answer, by: 'ben' })).toMatchObject({ ok: false })
    expect(await crib.approvals.answer(id, { ...answer, by: 'ana' })).toMatchObject({ ok: true })
    expect(await call).toMatchObject({
      structured_content: { decision: 'refund' },
      toolcrib: { native: { source: 'person', answered_by: 'ana' } },
    })
    expect(api.requests).toHaveLength(1)
  })

  it('sends nothing to a service that a rule asks about', async () => {
    const api = await startApi(() => ({}))
    const folder = toolFolder()
    folder.tool('refund-review', review(restTransport(api.url, 'POST /reviews')))
    const { crib, surface } = await openTools(
      { folder: folder.path },
      { ...REVIEWERS, permission: { ask: ['WebFetch(domain:127.0.0.1)'] } },
    )
    const call = crib.call(surface, { name: 'aml.shop.refund-review', input: { order: 'A1' } })
    const { approval_id: id, decision } = (await call.pending())!
    expect(decision.reason?.type).toBe('rule')
    await crib.approvals.answer(id, { approved: true, by: 'ana', content: { decision: 'refund' } })
    expect(await call).toMatchObject({ structured_content: { decision: 'refund' } })
    expect(api.requests).toEqual([])
  })

  it('stays open where the question cannot be sent', async () => {
    const api = await startApi((_, response) => void response.writeHead(500).end('{}'))
    const folder = toolFolder()
    folder.tool('refund-review', review(restTransport(`${api.url}/v1`, 'POST /reviews')))
    const { crib, surface } = await openTools({ folder: folder.path }, REVIEWERS)
    const call = crib.call(surface, { name: 'aml.shop.refund-review', input: { order: 'A1' } })
    const { approval_id: id } = (await call.pending())!
    await until(async () => (await crib.approvals.get(id))?.delivery?.problem !== undefined)
    expect((await crib.approvals.get(id))!.delivery!.problem).toContain('500')
    await crib.approvals.answer(id, { approved: true, by: 'ben', content: { decision: 'refuse' } })
    expect((await call).structured_content).toEqual({ decision: 'refuse' })
  })

  it('needs a transport that carries questions', async () => {
    const folder = toolFolder()
    folder.tool(
      'refund-review',
      review({
        type: 'database',
        engine: 'postgresql',
        query_method: 'orm',
        credentials: { scheme: 'service-account', source: 'env', name: 'DB' },
      }),
    )
    const { crib, surface } = await openTools({ folder: folder.path }, REVIEWERS)
    const result = await crib.call(surface, { name: 'aml.shop.refund-review', input: { order: 'A1' } })
    expect(result.error?.message).toContain('write a transport of the type message-queue or rest-api')
  })
})

it('a human tool reads no answers from its queue until a person has accepted its file', async () => {
  const folder = toolFolder()
  const queue = (name: string) => `kafka://127.0.0.1:9/${name}`
  folder.tool(
    'refund-review',
    review({
      type: 'message-queue',
      provider: 'kafka',
      queue_url: queue('questions'),
      response_queue_url: queue('answers-of-another'),
      credentials: { scheme: 'service-account', source: 'env', name: 'KAFKA_LOGIN' },
    }),
  )
  const problems: string[] = []
  const tools = createFolderTools({
    entry: 'shop',
    settings: {},
    folder: folder.path,
    env: { KAFKA_LOGIN: '{"username":"a","password":"b"}' },
    live: createLiveSecrets(),
    hidesOwnSecrets: false,
    onProblem: (message) => void problems.push(message),
  })
  const { tools: compiled } = await compileFolder(folder.path)
  const blocked = new Map([
    ['refund-review', { code: 'toolcrib.tool_changed', message: 'Accept it.' } as const],
  ])
  const [draft] = await tools.drafts(compiled, blocked)
  const ending = new AbortController()
  const listening = draft!.answeredBy!.answers!.listen(() => Promise.reject(), ending.signal)
  setImmediate(() => ending.abort())
  await expect(listening).rejects.toThrow('Accept it.')
  expect(problems).toEqual([])
  await tools.close()
})

describe('a channel over queues', () => {
  const reply = (
    body: unknown,
    headers: Record<string, string> = {},
    correlationId = 'appr_1',
  ): QueueReply => ({
    id: `m${JSON.stringify(body)}`,
    correlationId,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })

  function open(outcome: (answer: ChannelAnswer) => AnswerTaken) {
    const sent: unknown[] = []
    const answers: ChannelAnswer[] = []
    const problems: string[] = []
    let listener: ((reply: QueueReply) => Promise<boolean>) | undefined
    const queue = {
      hosts: ['queue.example.com'],
      missing: () => undefined,
      codec: { decode: async ({ body }: QueueReply) => decode(body) },
      send: async (value: unknown, ids: unknown) => void sent.push({ value, ids }),
      replies: {
        listen(given: typeof listener) {
          listener = given
          return () => (listener = undefined)
        },
      },
    } as unknown as ToolQueue
    const tool = { toolId: 'review', transport: { response_queue_url: 'https://sqs.example.com/1/answers' } }
    const { person } = openQueueChannel(tool as never, queue, {
      onProblem: (message: string) => problems.push(message),
    } as never)
    const end = new AbortController()
    const listening = person!.answers!.listen((answer) => {
      answers.push(answer)
      return Promise.resolve(outcome(answer))
    }, end.signal)
    return {
      person: person!,
      sent,
      answers,
      problems,
      end,
      listening,
      give: (each: QueueReply) => listener!(each),
      isOpen: () => listener !== undefined,
    }
  }

  function decode(body: Buffer): unknown {
    try {
      return JSON.parse(body.toString())
    } catch {
      throw new Error('it is not JSON')
    }
  }

  it('sends the question under its own id', async () => {
    const { person, sent } = open(() => ({ taken: true }))
    const question = { approvalId: 'appr_1', invocationId: 'inv_1', input: { order: 'A1' }, reminder: 0 }
    const context = {
      signal: new AbortController().signal,
      tenant: 'default',
      attempt: 1,
      idempotencyKey: 'k',
    }
    await person.announce!(question as PersonQuestion, context)
    expect(sent).toMatchObject([
      {
        ids: { correlationId: 'appr_1', idempotencyKey: 'k' },
        value: { order: 'A1', question: { approval_id: 'appr_1', invocation_id: 'inv_1' } },
      },
    ])
    expect(person.answers!.name).toBe('queue:answers')
  })

  it('takes answers and rejections, and leaves what is not about its questions', async () => {
    const { give, answers, problems } = open(({ correlationId }) =>
      correlationId === 'appr_1'
        ? { taken: true }
        : { taken: false, isKnown: false, isOpen: false, message: 'No such question.' },
    )
    expect(await give(reply({ decision: 'refund' }))).toBe(true)
    expect(await give(reply({ feedback: 'Not now.' }, { status: 'rejected' }))).toBe(true)
    expect(await give(reply('"No."', { status: 'error' }))).toBe(true)
    expect(await give(reply({}, {}, 'inv_other'))).toBe(false)
    expect(await give(reply({ percent: 1 }, { status: 'progress' }))).toBe(false)
    expect(await give({ ...reply({}), correlationId: undefined })).toBe(false)
    expect(answers.slice(0, 3)).toEqual([
      { correlationId: 'appr_1', content: { decision: 'refund' } },
      { correlationId: 'appr_1', rejected: { feedback: 'Not now.' } },
      { correlationId: 'appr_1', rejected: { feedback: 'No.' } },
    ])
    expect(problems).toEqual([])
  })

  it('uses up and reports an answer that does not fit, until it ends', async () => {
    const { give, problems, end, listening, isOpen } = open(() => ({
      taken: false,
      isKnown: true,
      isOpen: true,
      message: 'The content does not fit the form.',
    }))
    expect(await give(reply({ decision: 'maybe' }))).toBe(true)
    expect(await give(reply('no json'))).toBe(true)
    expect(problems).toEqual([
      'An answer to appr_1 came over the response queue of "review" and was not taken: The content does not fit the form.',
      'An answer to appr_1 came over the response queue of "review" and was not taken: it is not JSON.',
    ])
    end.abort()
    await listening
    expect(isOpen()).toBe(false)
  })

  it.each([
    ['https://sqs.eu-west-1.amazonaws.com/123/answers', 'queue:answers'],
    ['projects/p/subscriptions/answers', 'queue:answers'],
    ['kafka://localhost:9092/answers', 'queue:answers'],
    ['answers', 'queue:answers'],
  ])('is named after %s', (address, name) => {
    expect(channelName(address)).toBe(name)
  })
})
