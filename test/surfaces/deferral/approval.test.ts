import { expect, it } from 'vitest'
import { sqliteStore, type Crib, type SurfaceRequest } from 'toolcrib'
import { openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { tool, tools } from './make-tools.js'

it.each<[string, object, SurfaceRequest]>([
  ['by its own setting', { shouldDefer: true }, { scope: 'session', actor: 'agent' }],
  ['by the budget', {}, { scope: 'session', actor: 'agent', deferral: { budgetTokens: 1, always: ['a'] } }],
])(
  'a call of a tool that was deferred %s, and loaded, waits for its approval and continues in another crib',
  async (_title, more, request) => {
    const path = temporaryStorePath()
    let runs = 0
    const send = tool('send', { ...more, isReadOnly: false, execute: () => ++runs })
    const open = (): Promise<Crib> =>
      openCrib({
        store: sqliteStore({ path, pollMs: 5 }),
        tools: [...tools('a', 'b'), send],
        reviewers: ['ann'],
        decider: () => ({ behavior: 'ask' }),
      })
    const first = await open()
    const surface = await first.surface(request)
    await surface.load(['send'])
    const call = first.call(surface, { name: 'send' })
    call.catch(() => {})
    const { approval_id: id } = (await call.pending())!
    await first.close()
    const second = await open()
    expect(await second.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({
      ok: true,
      goesOn: 'here',
    })
    const result = await second.task(call.invocationId).result()
    expect(result.status).toBe('succeeded')
    expect(runs).toBe(1)
  },
)
