import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineTool, sqliteStore, type Call, type Crib, type CribOptions, type Store } from 'toolcrib'
import type { KeptApproval } from '../../src/approvals/kept-approval.js'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { endChildren } from '../storage/run-child.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'
import { callAndWait, effectsIn, startCribProcess } from './start-crib-process.js'

afterEach(endChildren)

const SECRET = 'hunter2-secret'

interface Waiting {
  crib: Crib
  call: Call
  id: string
  execute: ReturnType<typeof vi.fn>
}

async function waiting(store: Store, more: CribOptions = {}): Promise<Waiting> {
  const execute = vi.fn(() => 'done')
  const crib = await openCrib({
    store,
    tools: [
      defineTool({ name: 't', description: 'T.', sensitiveFields: ['key'], isIdempotent: true, execute }),
    ],
    reviewers: ['ann', 'ben'],
    actor: 'agent:1',
    ...more,
  })
  const surface = await crib.surface({ scope: 'turn' })
  const call = crib.call(surface, { name: 't', input: { to: 'ada', key: SECRET } })
  const { approval_id: id } = (await call.pending())!
  return { crib, call, id, execute }
}

async function kept(crib: Crib, id: string): Promise<KeptApproval> {
  return (await crib.store.getDocument('default', 'approval', id))!.value as KeptApproval
}

/** Overwrites stored data, as an attacker with the database and without the key would. */
async function overwrite(crib: Crib, id: string, value: KeptApproval): Promise<void> {
  const documents = [
    { tenant: 'default', kind: 'approval', id, updatedAt: 0, value },
    { tenant: 'toolcrib.system', kind: 'approval_news', id: 'answered', updatedAt: 0, value: {} },
  ]
  await crib.store.write({ documents })
}

const codeOf = async (crib: Crib, id: string, more: object = {}): Promise<string> => {
  const outcome = await crib.approvals.answer(id, { approved: true, by: 'ann', ...more })
  return outcome.ok ? 'ok' : outcome.error.error_code!
}

const answerOf = (by = 'ann') => ({
  by,
  at: new Date().toISOString(),
  approved: true,
  scope: 'once' as const,
  user_modified: false,
})

onBothStores('an answer is refused, each time with a code of its own', (newStore) => {
  it('to an unknown approval', async () => {
    const { crib } = await waiting(newStore())
    expect(await codeOf(crib, 'appr_inv_0_1')).toBe('toolcrib.approval_forged')
  })

  it('to an answered one', async () => {
    const { crib, call, id } = await waiting(newStore())
    expect(await codeOf(crib, id)).toBe('ok')
    expect(await codeOf(crib, id)).toBe('toolcrib.approval_already_answered')
    expect((await call).status).toBe('succeeded')
    expect(await codeOf(crib, id, { by: 'ben' })).toBe('toolcrib.approval_already_answered')
  })

  it('about another input, or another call', async () => {
    const { crib, id } = await waiting(newStore())
    const { invocation_id: invocationId, input_digest: inputDigest } = (await crib.approvals.get(id))!
    expect(await codeOf(crib, id, { inputDigest: 'hmac-sha256:00' })).toBe('toolcrib.approval_input_changed')
    expect(await codeOf(crib, id, { invocationId: 'inv_other' })).toBe('toolcrib.approval_other_invocation')
    expect(await codeOf(crib, id, { invocationId, inputDigest })).toBe('ok')
  })

  it('to a call that has ended', async () => {
    const { crib, call, id } = await waiting(newStore())
    call.cancel()
    await call
    expect(await codeOf(crib, id)).toBe('toolcrib.approval_withdrawn')
  })
})

it('a process with another key refuses an answer', async () => {
  const path = `${temporaryFolder()}/crib.db`
  const { id, execute } = await waiting(sqliteStore({ path }))
  const sealKey = new Uint8Array(32).fill(7)
  const other = await openCrib({ store: sqliteStore({ path }), reviewers: ['ann'], sealKey })
  expect(await codeOf(other, id)).toBe('toolcrib.approval_other_key')
  expect(await other.approvals.list({ status: 'pending' }), 'it is seen all the same').toHaveLength(1)
  expect(execute).not.toHaveBeenCalled()
})

const tampered: [string, (genuine: KeptApproval) => KeptApproval, string][] = [
  [
    'an approval that nobody signed',
    (it) => ({ ...it, approval: { ...it.approval, status: 'approved', answer: answerOf() } }),
    'toolcrib.approval_forged',
  ],
  [
    'an approval with a made-up signature',
    (it) => ({
      ...it,
      approval: { ...it.approval, status: 'approved', answer: answerOf() },
      proof: { ...it.proof, answer: '0'.repeat(64) },
    }),
    'toolcrib.approval_forged',
  ],
  [
    'another input to look at',
    (it) => ({ ...it, approval: { ...it.approval, input: { to: 'somebody harmless' } } }),
    'toolcrib.approval_forged',
  ],
  [
    'a later end',
    (it) => ({ ...it, approval: { ...it.approval, expires_at: '2099-01-01T00:00:00.000Z' } }),
    'toolcrib.approval_forged',
  ],
  [
    'another asker',
    (it) => ({ ...it, approval: { ...it.approval, requested_by: { actor: 'nobody', above: [] } } }),
    'toolcrib.approval_forged',
  ],
  [
    'another digest',
    (it) => ({ ...it, approval: { ...it.approval, input_digest: `hmac-sha256:${'0'.repeat(64)}` } }),
    'toolcrib.approval_input_changed',
  ],
  [
    'another sealed call',
    (it) => ({ ...it, sealed: `AAAA${it.sealed!.slice(4)}` }),
    'toolcrib.approval_forged',
  ],
  ['nothing that could be read', () => ({}) as KeptApproval, 'toolcrib.approval_forged'],
]

onBothStores('somebody writes into the database:', (newStore) => {
  it.each(tampered)('%s does not run the call, which ends and says why', async (_what, tamper, code) => {
    const { crib, call, id, execute } = await waiting(newStore())
    await overwrite(crib, id, tamper(await kept(crib, id)))
    const result = await call
    expect(result).toMatchObject({
      status: 'rejected',
      error: { error_class: 'approval_rejected', error_code: code },
    })
    expect(execute).not.toHaveBeenCalled()
  })

  it('a rejection that was changed to an approval does not run the call', async () => {
    const { crib, id, call, execute } = await waiting(newStore())
    const pending = await kept(crib, id)
    await crib.approvals.answer(id, { approved: false, by: 'ann' })
    await call
    const rejected = await kept(crib, id)
    const second = await waiting(newStore())
    // The answer and its proof are genuine, but belong to another approval.
    const other = await kept(second.crib, second.id)
    const { answer } = rejected.approval
    await overwrite(second.crib, second.id, {
      ...other,
      approval: { ...other.approval, status: 'approved', answer: { ...answer!, approved: true } },
      proof: { ...other.proof, answer: rejected.proof.answer },
    })
    expect((await second.call).error?.error_code).toBe('toolcrib.approval_forged')
    expect(pending.approval.status).toBe('pending')
    expect(execute).not.toHaveBeenCalled()
    expect(second.execute).not.toHaveBeenCalled()
  })

  it('an answer of another approval does not count for this one', async () => {
    const store = newStore()
    const { crib, id, call } = await waiting(store)
    const surface = await crib.surface({ scope: 'turn' })
    const harmless = crib.call(surface, { name: 't', input: { to: 'nobody' } })
    const { approval_id: otherId } = (await harmless.pending())!
    await crib.approvals.answer(otherId, { approved: true, by: 'ann' })
    await overwrite(crib, id, await kept(crib, otherId))
    expect((await call).error?.error_code).toBe('toolcrib.approval_forged')
  })

  it('an answered approval that was reopened is not answered again', async () => {
    const { crib, id, call, execute } = await waiting(newStore())
    const before = await kept(crib, id)
    await crib.approvals.answer(id, { approved: true, by: 'ann' })
    await call
    await overwrite(crib, id, before)
    expect(await codeOf(crib, id)).toBe('toolcrib.approval_already_answered')
    expect(execute).toHaveBeenCalledOnce()
  })
})

describe('while no process has the call', () => {
  it.each(tampered)('%s does not run it either', async (_what, tamper, code) => {
    const folder = temporaryFolder()
    const [path, effects] = [`${folder}/crib.db`, `${folder}/effects`]
    const first = await startCribProcess({ path, effects })
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada' })
    await first.kill()
    const crib = await openCrib({
      store: sqliteStore({ path }),
      reviewers: ['ann'],
      approvals: { claim: false },
    })
    await overwrite(crib, approvalId, tamper(await kept(crib, approvalId)))
    const second = await startCribProcess({ path, effects })
    for (;;) {
      const result = await crib.result(invocationId)
      if (!result) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      expect(result).toMatchObject({ status: 'rejected', error: { error_code: code } })
      break
    }
    await second.close()
    expect(effectsIn(effects)).toEqual([])
  })
})

describe('sealed', () => {
  /** Every byte that the store has on disk. */
  const bytesIn = (folder: string): string =>
    readdirSync(folder)
      .filter((name) => name.startsWith('crib.db'))
      .map((name) => readFileSync(`${folder}/${name}`, 'latin1'))
      .join('\n')

  it('the secrets of a call are nowhere on disk, and its tool still gets them', async () => {
    const folder = temporaryFolder()
    const [path, effects] = [`${folder}/crib.db`, `${folder}/effects`]
    const first = await startCribProcess({ path, effects })
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada', key: SECRET })
    expect(bytesIn(folder)).toContain(approvalId)
    expect(bytesIn(folder)).not.toContain(SECRET)
    await first.kill()
    expect(bytesIn(folder)).not.toContain(SECRET)
    const second = await startCribProcess({ path, effects })
    const edited = { to: 'bea', key: '[redacted]', copies: 1 }
    const feedback = `Not ${SECRET} please.`
    await second.ask(
      { do: 'answer', id: approvalId, approved: true, by: 'ann', input: edited, feedback },
      'answered',
    )
    const crib = await openCrib({ store: sqliteStore({ path }) })
    await until(async () => (await crib.result(invocationId)) !== undefined)
    await second.close()
    expect(effectsIn(effects)).toMatchObject([{ input: { to: 'bea', key: SECRET } }])
    expect(bytesIn(folder)).not.toContain(SECRET)
    const { sealed, sealedInput } = await kept(crib, approvalId)
    expect({ sealed, sealedInput }).toEqual({ sealed: undefined, sealedInput: undefined })
    const { decisions, mutations } = (await crib.story(invocationId))!
    expect(decisions.at(-2)).toMatchObject({ user_modified: true, accept_feedback: 'Not [redacted] please.' })
    expect(mutations.at(-1)).toMatchObject({ source_type: 'permission_prompt', changed_fields: ['to'] })
  })

  it.each(['cancelled', 'rejected', 'approved'])(
    'nothing sealed is left of a call that was %s',
    async (how) => {
      const { crib, call, id } = await waiting(sqliteStore({ path: `${temporaryFolder()}/crib.db` }))
      expect((await kept(crib, id)).sealed).toBeTypeOf('string')
      if (how === 'cancelled') call.cancel()
      else await crib.approvals.answer(id, { approved: how === 'approved', by: 'ann' })
      await call
      await crib.flush()
      expect(await kept(crib, id)).not.toHaveProperty('sealed')
    },
  )
})
