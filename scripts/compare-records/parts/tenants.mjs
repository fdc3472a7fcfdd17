import { add, echo, note } from './tools.mjs'

export const tenants = {
  name: 'tenants',
  tenants: ['acme', 'globex'],
  options: ({ lib, clock }) => ({
    tools: [echo(lib), note(lib), add(lib, clock)],
    permission: { allow: ['note'] },
    actor: 'host',
  }),
  async run(world) {
    const { call, crib, lib, note: noteValue, step } = world
    for (const tenant of ['acme', 'globex', undefined]) {
      step(`tenant ${tenant}`)
      const surface = await crib.surface({
        ...(tenant && { tenant }),
        session: 's1',
        actor: 'agent:worker',
        above: ['agent:planner'],
        runtimeRefs: ['run:7'],
        policyRefs: ['policy:7'],
        name: 'desk',
        reason: 'A test.',
      })
      for (const [name, input] of [
        ['echo', { text: `of ${tenant}` }],
        ['note', { text: `of ${tenant}` }],
        ['math.add', { a: 1, b: 1 }],
        ['none', {}],
      ])
        await call(surface, { name, input, nativeCallId: `n-${name}` }, { label: name, tenant })
    }
    step('deletion')
    const acme = { tenant: 'acme' }
    const { invocations } = await crib.invocationPage(acme)
    const copies = new Map(invocations.map(({ invocation_id: id }) => [id, []]))
    for await (const event of crib.events(acme)) copies.get(event.invocation_id)?.push(event)
    noteValue('deleted', await crib.deleteRecords({ ...acme, session: 's1', by: 'ann', reason: 'asked' }))
    for (const { invocation_id: id } of invocations) {
      noteValue('story', (await crib.story(id, acme)) ?? 'none')
      const left = await crib.deletedRecord(id, acme)
      noteValue('what is left', left)
      noteValue('its digest is right', left.content_sha256 === lib.digestEvents(copies.get(id)))
    }
  },
}
