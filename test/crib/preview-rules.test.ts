import { expect, it } from 'vitest'
import { defineTool, sqliteStore, type Crib } from 'toolcrib'
import { collect, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const send = defineTool({
  name: 'send',
  namespace: 'mail',
  description: 'Sends a message.',
  input: {
    jsonSchema: { type: 'object', properties: { to: { type: 'string' }, key: { type: 'string' } } },
  },
  sensitiveFields: ['key'],
  execute: () => 'sent',
})
const look = defineTool({
  name: 'look',
  namespace: 'mail',
  description: 'Looks for messages.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => [],
})

async function callAll(crib: Crib): Promise<void> {
  const surface = await crib.surface({ actor: 'ada', session: 's1' })
  for (const to of ['a@example.com', 'b@example.org'])
    await crib.call(surface, { name: 'mail.send', input: { to } })
  await crib.call(surface, { name: 'mail.look' })
}

onBothStores('a preview of changed rules', (newStore) => {
  it('names the calls that would be decided otherwise, newest first, and changes nothing', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [send, look],
      permission: { allow: ['mail.*'] },
    })
    await callAll(crib)
    const { revision } = crib.policy
    const events = (await collect(crib.events())).length
    const preview = await crib.policy.preview({
      add: [{ behavior: 'deny', rule: 'mail.send(to ~ *@example.com)' }],
    })
    expect(preview).toMatchObject({ examined: 3, not_examined: 0, problems: [] })
    expect(preview.changed).toMatchObject([
      {
        tool_id: 'mail.send',
        before: 'allow',
        after: 'deny',
        reason: expect.stringContaining('mail.send(to ~ *@example.com)') as string,
      },
    ])
    expect(crib.policy.revision).toBe(revision)
    expect((await collect(crib.events())).length).toBe(events)
  })

  it('removes rules of any source, or of the named one', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [send, look],
      permission: { allow: ['mail.send'] },
    })
    await callAll(crib)
    const remove = [{ behavior: 'allow', rule: 'mail.send' }] as const
    const all = await crib.policy.preview({ remove })
    expect(all.changed.map(({ before, after }) => [before, after])).toEqual([
      ['allow', 'ask'],
      ['allow', 'ask'],
    ])
    const elsewhere = { behavior: 'allow', rule: 'mail.send', destination: 'user_settings' } as const
    expect(await crib.policy.preview({ remove: [elsewhere] })).toMatchObject({
      changed: [],
      problems: ['There is no rule allow mail.send in user_settings.'],
    })
  })

  it('gives a sentence for a rule that cannot be read, and goes on without it', async () => {
    const crib = await openCrib({ store: newStore(), tools: [send, look] })
    await callAll(crib)
    const preview = await crib.policy.preview({
      add: [
        { behavior: 'deny', rule: 'mail.send()' },
        { behavior: 'deny', rule: 'mail.look' },
      ],
    })
    expect(preview.problems).toEqual([
      'The rule "mail.send()" has empty brackets; leave them out to mean every call of the tool.',
    ])
    expect(preview.changed.map(({ tool_id: id }) => id)).toEqual(['mail.look'])
  })

  it('counts the calls of tools that are gone, and reads only the last ones of the tenant', async () => {
    const crib = await openCrib({ store: newStore(), permission: { allow: ['mail.*'] } })
    const added = await crib.add([send, look])
    await callAll(crib)
    const other = await crib.surface({ tenant: 'other' })
    await crib.call(other, { name: 'mail.look' })
    added.dispose()
    await crib.add([look])
    const add = [{ behavior: 'deny', rule: 'mail.*' }] as const
    expect(await crib.policy.preview({ add })).toMatchObject({ examined: 1, not_examined: 2 })
    expect(await crib.policy.preview({ add }, { limit: 1 })).toMatchObject({ examined: 1, not_examined: 0 })
    expect(await crib.policy.preview({ add }, { tenant: 'other' })).toMatchObject({ examined: 1 })
    await expect(crib.policy.preview({ add }, { limit: 1001 })).rejects.toThrow('from 1 to 1000')
  })

  it('judges what the surface demands, and inputs as they are recorded', async () => {
    const crib = await openCrib({ store: newStore(), tools: [send], permission: { allow: ['mail.send'] } })
    const careful = await crib.surface({ approvalRequired: ['mail.send'], approvals: 'none' })
    await crib.call(careful, { name: 'mail.send', input: { to: 'a@example.com' } })
    const remove = [{ behavior: 'allow', rule: 'mail.send' }] as const
    // Approval is required before and after.
    expect(await crib.policy.preview({ remove })).toMatchObject({ examined: 1, changed: [] })
    const surface = await crib.surface()
    await crib.call(surface, { name: 'mail.send', input: { key: 'k-1234' } })
    const add = [{ behavior: 'deny', rule: 'mail.send(key = k-1234)' }] as const
    expect(await crib.policy.preview({ add })).toMatchObject({ examined: 2, changed: [] })
  })
})

it('the description of the rules has their examples and whether they hold', async () => {
  const crib = await openCrib({
    store: sqliteStore({ path: temporaryStorePath() }),
    permission: {
      deny: [
        { rule: 'Bash(rm *)', reason: 'No removals.', match: ['rm -rf x', 'ls'], not_match: 'ls' },
        'Read(.env)',
      ],
    },
  })
  await crib.policy.update({
    type: 'add_rules',
    behavior: 'allow',
    rules: ['mail.look'],
    destination: 'session',
  })
  const { rules, destinations, revision } = crib.policy.describe()
  expect(revision).toBe(crib.policy.revision)
  expect(destinations).toEqual(['session'])
  expect(rules).toMatchObject([
    {
      behavior: 'deny',
      text: 'Bash(rm *)',
      source: 'flag_settings',
      reason: 'No removals.',
      match: ['rm -rf x', 'ls'],
      not_match: ['ls'],
      problem: 'does not match its example "ls"',
      tests: [
        { example: 'rm -rf x', should_match: true, passes: true },
        { example: 'ls', should_match: true, passes: false },
        { example: 'ls', should_match: false, passes: true },
      ],
      is_session: false,
    },
    { text: 'Read(.env)', tests: [] },
    { text: 'mail.look', source: 'session', is_session: true },
  ])
})
