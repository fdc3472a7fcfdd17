import { expect, it } from 'vitest'
import { defineTool, type ClientLink } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const client: ClientLink = {
  abilities: { form: true, link: false, sampling: false, roots: false },
  wantsProgress: false,
  ask: async (questions) =>
    Object.fromEntries(
      Object.keys(questions).map((key) => [key, { kind: 'form', action: 'accept', content: { key } }]),
    ),
  tell() {},
}

onBothStores('the client behind a call', (newStore) => {
  it('is available to the executor and in no record', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'ask',
          description: 'Asks.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: async (_, context) =>
            (await context.client?.ask(
              { one: { kind: 'form', message: 'Who?', schema: { type: 'object' } } },
              context.signal,
            )) ?? 'nobody',
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'session' })
    const call = crib.call(surface, { name: 'ask', client })
    expect(await call).toMatchObject({
      structured_content: { one: { action: 'accept', content: { key: 'one' } } },
    })
    expect(await crib.call(surface, { name: 'ask' })).toMatchObject({ content: [{ text: 'nobody' }] })
    expect(JSON.stringify(await crib.invocation(call.invocationId))).not.toContain('Who?')
  })

  it('a call’s own approver replaces that of the crib', async () => {
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'ask' }),
      approver: () => ({ approved: false }),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'done' })],
    })
    const surface = await crib.surface({ scope: 'session' })
    expect(await crib.call(surface, { name: 'write' })).toMatchObject({ status: 'rejected' })
    const approved = crib.call(surface, { name: 'write', approver: () => ({ approved: true, by: 'kim' }) })
    expect(await approved).toMatchObject({ status: 'succeeded' })
  })
})
