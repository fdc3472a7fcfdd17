import { describe, expect, it } from 'vitest'
import {
  definePersonTool,
  memoryStore,
  type AnnounceContext,
  type AnsweredByPerson,
  type AnswerTaken,
  type ChannelAnswer,
  type Crib,
  type PersonQuestion,
  type TakeAnswer,
} from 'toolcrib'
import { collect, createGate, onBothStores, openCrib } from '../../scenarios/open-crib.js'
import { until } from '../../until.js'

const ask = (more: AnsweredByPerson = {}, name = 'review') =>
  definePersonTool({
    name,
    description: 'Asks a person.',
    input: { jsonSchema: { type: 'object', properties: { order: {}, key: { type: 'string' } } } },
    sensitiveFields: ['key'],
    output: {
      jsonSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    },
    ...more,
  })

interface Sent {
  question: PersonQuestion
  context: AnnounceContext
}

async function eventsOf(crib: Crib, prefix = 'toolcrib.approval.'): Promise<string[]> {
  await crib.flush()
  return (await collect(crib.events()))
    .map(({ event_type: type }) => type)
    .filter((type) => type.startsWith(prefix))
}

onBothStores('a question that is announced', (newStore) => {
  it('goes out once it can be answered, with masked input, and once only', async () => {
    const sent: (Sent & { status: string | undefined })[] = []
    const tool = ask({
      queue: 'refunds',
      async announce(question, context) {
        const approval = await crib.approvals.get(question.approvalId)
        sent.push({ question, context, status: approval?.status })
      },
    })
    const crib = await openCrib({ store: newStore(), tools: [tool], reviewers: ['ann'] })
    const input = { order: 'A1', key: 'hunter2-secret' }
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'review', input })
    const { approval_id: id, expires_at: expiresAt } = (await call.pending())!
    await until(async () => (await crib.approvals.get(id))?.delivery?.announced_at !== undefined)
    expect(sent).toMatchObject([
      {
        status: 'pending',
        context: { tenant: 'default', attempt: 1, idempotencyKey: `${id}_0` },
        question: {
          approvalId: id,
          invocationId: call.invocationId,
          toolId: 'local.review',
          queue: 'refunds',
          input: { order: 'A1', key: '[redacted]' },
          form: { type: 'object', required: ['ok'] },
          expiresAt,
          reminder: 0,
        },
      },
    ])
    expect(JSON.stringify(sent)).not.toContain('hunter2')
    await crib.approvals.answer(id, { approved: true, by: 'ann', content: { ok: true } })
    expect((await call).structured_content).toEqual({ ok: true })
    expect(await eventsOf(crib)).toEqual(['toolcrib.approval.announced'])
    expect(sent).toHaveLength(1)
  })

  it('is sent before a short program ends', async () => {
    const sent: string[] = []
    const tool = ask({ announce: async ({ approvalId }) => void sent.push(approvalId) })
    const crib = await openCrib({ store: newStore(), tools: [tool], reviewers: ['ann'] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'review' })
    call.catch(() => {})
    const { approval_id: id } = (await call.pending())!
    await crib.close()
    expect(sent).toEqual([id])
  })

  it('that cannot be sent is reported, and stays open', async () => {
    const tool = ask({
      announce() {
        throw new Error('The queue is gone.')
      },
    })
    const crib = await openCrib({ store: newStore(), tools: [tool], reviewers: ['ann'] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'review' })
    const { approval_id: id } = (await call.pending())!
    await until(async () => (await crib.approvals.get(id))?.delivery?.problem !== undefined)
    expect((await crib.approvals.get(id))!.delivery).toEqual({ attempts: 1, problem: 'The queue is gone.' })
    await crib.approvals.answer(id, { approved: true, by: 'ann', content: { ok: true } })
    expect((await call).status).toBe('succeeded')
    expect(await eventsOf(crib)).toEqual(['toolcrib.approval.announce_failed'])
  })

  it('is announced again for each reminder, until it is answered', async () => {
    const sent: PersonQuestion[] = []
    const tool = ask({ remindMs: 20, announce: (question) => void sent.push(question) })
    const crib = await openCrib({ store: newStore(), tools: [tool], reviewers: ['ann'] })
    const reminded: string[] = []
    crib.approvals.watchReminders(({ approval_id: id }) => reminded.push(id))
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'review' })
    const { approval_id: id } = (await call.pending())!
    await until(() => reminded.length >= 2)
    await crib.approvals.answer(id, { approved: true, by: 'ann', content: { ok: false } })
    await call
    const types = await eventsOf(crib)
    expect(types.slice(0, 3)).toEqual([
      'toolcrib.approval.announced',
      'toolcrib.approval.reminded',
      'toolcrib.approval.reminded',
    ])
    expect(sent.map(({ reminder }) => reminder).slice(0, 3)).toEqual([0, 1, 2])
    expect(new Set(reminded)).toEqual(new Set([id]))
    const { delivery } = (await crib.approvals.get(id))!
    expect(delivery!.reminders).toBeGreaterThanOrEqual(2)
  })
})

describe('a channel of answers', () => {
  interface Channel extends AnsweredByPerson {
    take(answer: ChannelAnswer): Promise<AnswerTaken>
    isOpen(): boolean
  }

  function createChannel(name = 'queue:answers'): Channel {
    const opened = createGate()
    let taker: TakeAnswer | undefined
    return {
      answers: {
        name,
        listen(take, signal) {
          taker = take
          opened.open()
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              taker = undefined
              resolve()
            }),
          )
        },
      },
      async take(answer) {
        await opened.promise
        return taker!(answer)
      },
      isOpen: () => taker !== undefined,
    }
  }

  async function asked(channel: Channel, more: AnsweredByPerson = {}) {
    const { answers } = channel
    const crib = await openCrib({
      store: memoryStore(),
      tools: [ask({ answers, ...more }), ask({}, 'other')],
      reviewers: ['ann'],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'review' })
    const { approval_id: id } = (await call.pending())!
    return { crib, surface, call, id }
  }

  it('answers as the channel, by the id of the approval or of the call, and is closed then', async () => {
    for (const by of ['approval', 'call'] as const) {
      const channel = createChannel()
      const { crib, call, id } = await asked(channel)
      const correlationId = by === 'approval' ? id : call.invocationId
      expect(await channel.take({ correlationId, content: { ok: true } })).toEqual({ taken: true })
      expect(await call).toMatchObject({
        structured_content: { ok: true },
        toolcrib: { native: { answered_by: 'queue:answers' } },
      })
      expect((await crib.approvals.get(id))!.answer!.by).toBe('queue:answers')
      await until(() => !channel.isOpen())
    }
  })

  it('takes no answer that does not fit, is about another question, or comes twice', async () => {
    const channel = createChannel()
    const { crib, surface, call, id } = await asked(channel)
    const other = crib.call(surface, { name: 'other' })
    const { approval_id: otherId } = (await other.pending())!
    const refused = (isKnown: boolean, isOpen: boolean) => ({ taken: false, isKnown, isOpen })
    expect(await channel.take({ correlationId: id, content: { ok: 'yes' } })).toMatchObject(
      refused(true, true),
    )
    expect(await channel.take({ correlationId: id })).toMatchObject(refused(true, true))
    for (const correlationId of [otherId, other.invocationId, 'appr_x', '', undefined as never, '../x'])
      expect(await channel.take({ correlationId, content: { ok: true } })).toMatchObject(
        refused(false, false),
      )
    const keepOpen = crib.call(surface, { name: 'review', input: { order: 2 } })
    await keepOpen.pending()
    expect(await channel.take({ correlationId: id, rejected: { feedback: 'No.' } })).toEqual({ taken: true })
    expect((await call).error).toMatchObject({ error_code: 'toolcrib.approval_rejected' })
    expect(await channel.take({ correlationId: id, content: { ok: true } })).toMatchObject(
      refused(true, false),
    )
    expect(await crib.approvals.get(otherId)).toMatchObject({ status: 'pending' })
  })

  it('is no reviewer of a question that is assigned to others, unless it is named too', async () => {
    const channel = createChannel()
    const { id } = await asked(channel, { reviewers: ['ann'] })
    expect(await channel.take({ correlationId: id, content: { ok: true } })).toMatchObject({ taken: false })
    const named = createChannel()
    const second = await asked(named, { reviewers: ['ann', 'queue:answers'] })
    expect(await named.take({ correlationId: second.id, content: { ok: true } })).toEqual({ taken: true })
  })
})

onBothStores('an answer after the time limit', (newStore) => {
  it('is recorded, and changes nothing', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [ask({ expiresMs: 30 })],
      reviewers: ['ann', 'ben'],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'review' })
    const { approval_id: id } = (await call.pending())!
    const result = await call
    expect(result.error).toMatchObject({ error_code: 'toolcrib.approval_expired' })
    const outcome = await crib.approvals.answer(id, { approved: true, by: 'ann', content: { ok: true } })
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        error_code: 'toolcrib.approval_expired',
        message: expect.stringContaining('The late answer was recorded and changes nothing.'),
      },
    })
    expect(await crib.approvals.answer(id, { approved: true, by: 'eve', content: {} })).toMatchObject({
      error: { error_code: 'toolcrib.not_a_reviewer' },
    })
    expect(await crib.approvals.get(id)).toMatchObject({
      status: 'expired',
      delivery: { late_answers: [{ by: 'ann', approved: true }] },
    })
    expect(await crib.result(call.invocationId)).toEqual(result)
    await crib.flush()
    const events = await collect(crib.events())
    expect(events.filter(({ event_type: type }) => type === 'toolcrib.approval.answered_late')).toMatchObject(
      [{ tool_id: 'local.review', data: { approval_id: id, by: 'ann', content: { ok: true } } }],
    )
  })
})

it('lists the questions of one queue', async () => {
  const crib = await openCrib({
    tools: [ask({ queue: 'refunds' }), ask({ queue: 'hiring' }, 'other')],
    reviewers: ['ann'],
  })
  const surface = await crib.surface({ scope: 'turn' })
  for (const name of ['review', 'other']) await crib.call(surface, { name }).pending()
  const tools = (await crib.approvals.list({ queue: 'hiring' })).map(({ tool_id: id }) => id)
  expect(tools).toEqual(['local.other'])
  expect(await crib.approvals.list()).toHaveLength(2)
})
