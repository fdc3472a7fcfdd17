import { expect, it } from 'vitest'
import { defineHook, defineTool, type CribOptions } from 'toolcrib'
import { collect, onBothStores, openCrib } from '../scenarios/open-crib.js'

const SECRET = 'hunter22hunter22'

const login = (more: object = {}) =>
  defineTool({
    name: 'login',
    description: 'Logs in.',
    input: {
      jsonSchema: {
        type: 'object',
        properties: {
          user: { type: 'string' },
          password: { type: 'string' },
          auth: { type: 'object', properties: { token: { type: 'string' } } },
        },
      },
    },
    sensitiveFields: ['password', 'auth.token'],
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => 'in',
    ...more,
  })

onBothStores('no record holds a sensitive value', (newStore) => {
  /** Everything that was recorded or returned, as text. */
  async function everything(options: CribOptions, input: unknown): Promise<string> {
    const crib = await openCrib({ store: newStore(), ...options })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'login', input })
    const result = await call
    const story = await crib.story(call.invocationId)
    return JSON.stringify([result, story, await collect(crib.events())])
  }

  it.each([
    ['incomplete JSON text', `{"user": "anna", "password": "${SECRET}"`],
    ['JSON text with a trailing word', `{"password": "${SECRET}"} ${SECRET}`],
    ['text that is the secret', SECRET],
  ])('given in %s', async (_what, input) => {
    expect(await everything({ tools: [login()] }, input)).not.toContain(SECRET)
  })

  it.each([
    ['a text where an object belongs', { auth: `{"token": "${SECRET}"}` }],
    ['a list where an object belongs', { auth: [[SECRET]] }],
    ['the whole input as JSON text in JSON text', JSON.stringify(JSON.stringify({ password: SECRET }))],
  ])('given as %s', async (_what, input) => {
    expect(await everything({ tools: [login()] }, input)).not.toContain(SECRET)
  })

  it('from a hook’s input', async () => {
    const hook = defineHook({
      id: 'vault',
      event: 'pre_tool_use',
      run: () => ({ updatedInput: { password: SECRET } }),
    })
    const echo = login({ execute: ({ password }: { password: string }) => `logged in with ${password}` })
    expect(await everything({ tools: [echo], hooks: [hook] }, {})).not.toContain(SECRET)
  })

  it('from an approver’s input', async () => {
    const echo = login({
      isReadOnly: false,
      execute: ({ password }: { password: string }) => `logged in with ${password}`,
    })
    const approver = () => ({ approved: true as const, updatedInput: { password: SECRET } })
    expect(await everything({ tools: [echo], approver }, {})).not.toContain(SECRET)
  })

  it('from the stop reason of a hook', async () => {
    const hook = defineHook({
      id: 'gate',
      event: 'pre_tool_use',
      run: ({ input }) => ({ stop: { reason: `bad password ${(input as { password: string }).password}` } }),
    })
    expect(await everything({ tools: [login()], hooks: [hook] }, { password: SECRET })).not.toContain(SECRET)
  })

  it('from the deny reason of a decider', async () => {
    const decider = ({ input }: { input: unknown }) => ({
      behavior: 'deny' as const,
      reason: { type: 'rule' as const, message: `no ${(input as { password: string }).password}` },
    })
    expect(await everything({ tools: [login()], decider }, { password: SECRET })).not.toContain(SECRET)
  })

  it('from the context of a hook, before and after the call', async () => {
    const hooks = (['pre_tool_use', 'post_tool_use'] as const).map((event) =>
      defineHook({
        id: event,
        event,
        run: ({ input }) => ({ additionalContext: `used ${JSON.stringify(input)}` }),
      }),
    )
    expect(await everything({ tools: [login()], hooks }, { password: SECRET })).not.toContain(SECRET)
  })

  it('from the input request of a tool', async () => {
    const asking = login({
      execute: async ({ password }: { password: string }, context: { requestInput(q: object): unknown }) => {
        await context.requestInput({
          message: 'again?',
          schema: { type: 'string', description: `not ${password}` },
        })
        return 'in'
      },
    })
    const responder = async () => ({ action: 'decline' as const })
    expect(await everything({ tools: [asking], responder }, { password: SECRET })).not.toContain(SECRET)
  })
})

onBothStores('a sensitive value that is also a word in records', (newStore) => {
  it.each(['succeeded', 'text', 'content', 'none', '0.2.0', 'local.login'])(
    'leaves the record intact: %s',
    async (password) => {
      const crib = await openCrib({ store: newStore(), tools: [login()] })
      const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'login', input: { password } })
      expect(await call).toMatchObject({
        schema_version: '0.2.0',
        status: 'succeeded',
        content: [{ type: 'text', text: 'in' }],
        toolcrib: { tool_id: 'local.login' },
      })
    },
  )
})
