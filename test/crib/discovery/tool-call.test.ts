import { expect, it } from 'vitest'
import { defineHook, defineTool, sqliteStore, type CribOptions, type SurfaceRequest } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { clock, githubTools } from './github-tools.js'

const ISSUES = 'mcp.github.search_issues'
const inner = { name: 'mcp__github__search_issues', arguments: { query: 'crash' } }

onBothStores('tool.call', (newStore) => {
  async function place(options: CribOptions = {}, request: Partial<SurfaceRequest> = {}) {
    const ran: unknown[] = []
    const tools = [clock, ...githubTools((tool, input) => ran.push([tool, input]))]
    const crib = await openCrib({ store: newStore(), tools, ...options })
    const surface = await crib.surface({ scope: 'turn', deferral: { way: 'pair' }, ...request })
    const call = (input: unknown) => crib.call(surface, { name: 'tool__call', input })
    const find = (name = ISSUES) =>
      crib.call(surface, { name: 'tool.search', input: { query: `select:${name}` } })
    return { crib, surface, ran, call, find }
  }

  it.each([
    ['an object', inner],
    ['JSON text of its own', JSON.stringify(inner)],
    ['arguments as JSON text', { ...inner, arguments: '{"query":"crash"}' }],
  ])('becomes the call of the tool that it names: %s', async (_how, input) => {
    const { crib, ran, call, find } = await place()
    await find()
    const made = call(input)
    const result = await made
    expect(result).toMatchObject({ status: 'succeeded', toolcrib: { tool_id: ISSUES } })
    expect(ran).toEqual([['search_issues', { query: 'crash' }]])
    const events = (await collect(crib.events())).filter((each) => each.invocation_id === made.invocationId)
    expect(events[0]).toMatchObject({
      event_type: 'tool.invocation.planned',
      data: {
        requested_name: 'mcp__github__search_issues',
        requested_via: 'tool.call',
        model_input: { query: 'crash' },
      },
    })
    expect(events.every((each) => each.tool_id === undefined || each.tool_id === ISSUES)).toBe(true)
    expect((await crib.invocation(made.invocationId))!.tool_id).toBe(ISSUES)
  })

  it('without arguments calls with none, and the tool reports what it needs', async () => {
    const { crib, ran, call, find } = await place()
    await find('mcp.github.list_labels')
    await find()
    expect((await call({ name: 'mcp__github__list_labels' })).status).toBe('succeeded')
    expect(ran).toEqual([['list_labels', {}]])
    expect((await call({ name: inner.name })).error).toMatchObject({
      message: expect.stringContaining('query'),
    })
    expect(crib.tool('tool.call')!.draft.input.modelSchema).toMatchObject({ required: ['name'] })
    expect(ran).toHaveLength(1)
  })

  it('reports in its result the requested tool, and the tool through which it was requested', async () => {
    const { crib, surface, find } = await place()
    await find()
    const result = await crib.call(surface, { name: 'tool__call', input: inner, nativeCallId: 'c1' })
    const said = { tool_id: ISSUES, requested_name: inner.name, requested_via: 'tool.call' }
    expect(result.toolcrib).toMatchObject(said)
    const receipt = await crib.call(surface, { name: 'tool.call', input: inner, runInBackground: true })
    expect(receipt.toolcrib).toMatchObject({ tool_id: ISSUES, requested_via: 'tool.call' })
  })

  it('of a tool that was not loaded is refused and never runs', async () => {
    const { ran, call } = await place()
    expect((await call(inner)).error).toMatchObject({ error_class: 'schema_not_loaded' })
    expect(ran).toEqual([])
  })

  it.each(['nothing.here', 'mcp.github.list_labels', 'clock'])(
    'of %s answers as a direct call does',
    async (name) => {
      const { crib, surface, call } = await place({ permission: { deny: ['mcp.github.list_labels'] } })
      const through = await call({ name, arguments: {} })
      const direct = await crib.call(surface, { name, input: {} })
      expect(through.status).toBe(direct.status)
      expect(through.error?.error_class).toBe(direct.error?.error_class)
      expect(through.error?.message).toBe(direct.error?.message)
    },
  )

  it('of itself is refused', async () => {
    const { call } = await place()
    for (const name of ['tool.call', 'tool__call']) {
      const { error } = await call({ name, arguments: inner })
      expect(error).toMatchObject({
        error_class: 'invalid_arguments',
        message: expect.stringContaining('cannot call itself'),
      })
    }
  })

  it.each([
    ['no name', { arguments: {} }],
    ['a name that is no text', { name: 5, arguments: {} }],
    ['an empty name', { name: '', arguments: {} }],
    ['something more', { ...inner, input: {} }],
    ['no object', 'hello'],
    ['arguments that are no object', { ...inner, arguments: [1] }],
    ['arguments that are no JSON', { ...inner, arguments: '{"query":' }],
    ['arguments that the schema refuses', { ...inner, arguments: { query: 5 } }],
    ['arguments that are null', { ...inner, arguments: null }],
  ])('with %s is refused before anything runs', async (_what, input) => {
    const { ran, call, find } = await place()
    await find()
    const { error } = await call(input)
    expect(error!.error_class).toMatch(/^(invalid_arguments|schema_validation_failed)$/)
    expect(error!.message!.length).toBeGreaterThan(10)
    expect(ran).toEqual([])
  })

  it('bypasses no rule: a deny of some arguments and an ask rule apply to the called tool', async () => {
    const asked: unknown[] = []
    const { ran, call, find } = await place({
      permission: {
        deny: [{ rule: ISSUES, when: { args: 'query = secret' } }],
        ask: [{ rule: ISSUES, when: { args: 'query = crash' } }],
      },
      approver: ({ toolId, input }) => {
        asked.push([toolId, input])
        return { approved: true, by: 'ann' }
      },
    })
    await find()
    expect((await call({ ...inner, arguments: { query: 'secret' } })).is_error).toBe(true)
    expect(ran).toEqual([])
    expect((await call(inner)).status).toBe('succeeded')
    expect(asked).toEqual([[ISSUES, { query: 'crash' }]])
  })

  it('an ask rule about tool.call itself requires approval of the called tool', async () => {
    const asked: unknown[] = []
    let approved = false
    const { crib, surface, ran, call, find } = await place({
      permission: { ask: ['tool.call'], allow: [ISSUES] },
      approver: ({ toolId, input, message }) => {
        asked.push([toolId, input, message])
        return approved ? { approved, by: 'ann' } : { approved }
      },
    })
    await find()
    expect((await call(inner)).is_error).toBe(true)
    expect(ran).toEqual([])
    approved = true
    expect((await call(inner)).status).toBe('succeeded')
    const question = [ISSUES, { query: 'crash' }, expect.stringContaining('ask tool.call')]
    expect(asked).toEqual([question, question])
    expect((await crib.call(surface, { name: ISSUES, input: { query: 'crash' } })).status).toBe('succeeded')
    expect(asked).toHaveLength(2)
  })

  it.each(['mcp__github__search_issues', ISSUES])(
    'a deny of some calls through it applies to every name of the tool: %s',
    async (name) => {
      const { ran, call, find } = await place({
        permission: { allow: ['*'], deny: [{ rule: 'tool.call', when: { args: `name = ${name}` } }] },
      })
      await find()
      await find('mcp.github.list_labels')
      for (const each of [inner.name, ISSUES])
        expect((await call({ ...inner, name: each })).error).toMatchObject({
          error_class: 'permission_denied',
        })
      expect(ran).toEqual([])
      expect((await call({ name: 'mcp.github.list_labels' })).status).toBe('succeeded')
    },
  )

  it('an allow rule for tool.call does not allow the called tools', async () => {
    const { ran, call, find } = await place({ permission: { allow: ['tool.call'], ask: [ISSUES] } })
    await find()
    expect((await call(inner)).is_error).toBe(true)
    expect(ran).toEqual([])
  })

  it.each([
    ['all', {}],
    ['some by their name', { when: { field: 'name', equals: ISSUES } }],
    ['some by their arguments', { when: { field: 'arguments.query', equals: 'crash' } }],
  ])('a hook for tool.call runs for calls through it: %s', async (_which, more) => {
    const seen: unknown[] = []
    const { crib, surface, ran, call, find } = await place({
      hooks: [
        defineHook({
          id: 'gate',
          event: 'pre_tool_use',
          tools: ['tool.call'],
          ...more,
          run: ({ toolId, input }) => {
            seen.push([toolId, input])
            return { stop: { reason: 'not through here' } }
          },
        }),
      ],
    })
    await find()
    expect((await call(inner)).is_error).toBe(true)
    expect(ran).toEqual([])
    expect(seen).toEqual([[ISSUES, { query: 'crash' }]])
    expect((await crib.call(surface, { name: ISSUES, input: { query: 'crash' } })).status).toBe('succeeded')
  })

  it('hooks see the tool that is called', async () => {
    const seen: unknown[] = []
    const { ran, call, find } = await place({
      hooks: [
        defineHook({
          id: 'watch',
          event: 'pre_tool_use',
          run: ({ toolId, input }) => {
            seen.push([toolId, input])
            return toolId === ISSUES ? { updatedInput: { query: 'changed' } } : {}
          },
        }),
      ],
    })
    await find()
    await call(inner)
    expect(seen.at(-1)).toEqual([ISSUES, { query: 'crash' }])
    expect(ran).toEqual([['search_issues', { query: 'changed' }]])
  })

  it('is the call of the named tool in a batch and in the background too', async () => {
    const gate = createGate()
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      shouldDefer: true,
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => gate.promise.then(() => 'done'),
    })
    const { crib, surface, find } = await place({ tools: [slow, ...githubTools()] })
    await find()
    await find('local.slow')
    const results = await crib.batch(surface, [
      { name: 'tool.call', input: inner, id: 'a' },
      { name: 'tool__call', input: inner, dependsOn: ['a'] },
    ])
    expect(results.map(({ toolcrib }) => toolcrib!['tool_id'])).toEqual([ISSUES, ISSUES])
    const receipt = await crib.call(surface, {
      name: 'tool.call',
      input: { name: 'local.slow', arguments: {} },
      runInBackground: true,
    })
    gate.open()
    const task = await crib.task(receipt.invocation_id)
    expect((await task!.result()).toolcrib).toMatchObject({ tool_id: 'local.slow' })
  })

  it('masks the sensitive fields of the called tool, and all arguments of an unknown one', async () => {
    const login = defineTool({
      name: 'login',
      description: 'Logs in.',
      shouldDefer: true,
      isReadOnly: true,
      isOpenWorld: false,
      sensitiveFields: ['password'],
      input: { jsonSchema: { type: 'object', properties: { password: { type: 'string' } } } },
      execute: () => 'in',
    })
    const { crib, call, find } = await place({ tools: [login] })
    await find('local.login')
    await call({ name: 'local.login', arguments: { password: 'hunter2-hunter2' } })
    await call({ name: 5, arguments: { password: 'hunter2-hunter2' } })
    await crib.flush()
    expect(JSON.stringify(await collect(crib.events()))).not.toContain('hunter2-hunter2')
  })

  it('is offered only with the way "pair"; a host’s own tool of that name is not replaced', async () => {
    const { crib, surface } = await place({}, { deferral: { way: 'load' } })
    expect((await crib.call(surface, { name: 'tool.call', input: inner })).is_error).toBe(true)
    const own = defineTool({
      namespace: 'tool',
      name: 'call',
      description: 'Telephones.',
      isReadOnly: true,
      isOpenWorld: false,
      input: { jsonSchema: { type: 'object', properties: { name: { type: 'string' } } } },
      execute: (input: unknown) => input,
    })
    const tools = [own, ...githubTools()]
    await expect(place({ tools })).rejects.toThrow(/^crib\.surface: "deferral": .*tool\.call.*rename/)
    const host = await place({ tools }, { deferral: { way: 'load' } })
    const result = await host.call({ name: 'ann', arguments: {} })
    expect(result.structured_content).toEqual({ name: 'ann', arguments: {} })
  })

  it('a rule that denies it removes it from the surface', async () => {
    const { ran, surface, call, find } = await place({ permission: { deny: ['tool.call'] } })
    expect(surface.listed().map(({ tool }) => tool.toolId)).not.toContain('tool.call')
    await find()
    expect((await call(inner)).is_error).toBe(true)
    expect(ran).toEqual([])
  })
})

it.each([
  ['still requires approval', [], 'succeeded'],
  ['is denied meanwhile', [{ rule: 'tool.call', when: { args: `name = ${ISSUES}` } }], 'denied'],
])('a call through tool.call that another crib resumes %s', async (_what, deny, status) => {
  const path = temporaryStorePath()
  const ran: unknown[] = []
  const open = (more: object[]) =>
    openCrib({
      store: sqliteStore({ path, pollMs: 5 }),
      tools: githubTools((tool) => ran.push(tool)),
      reviewers: ['ann'],
      permission: { ask: ['tool.call'], allow: [ISSUES], deny: more as never },
    })
  const first = await open([])
  const surface = await first.surface({ scope: 'turn', deferral: { way: 'pair' } })
  await surface.load([ISSUES])
  const call = first.call(surface, { name: 'tool.call', input: inner })
  const { approval_id: id } = (await call.pending())!
  await first.close()
  const second = await open(deny)
  expect(await second.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({ ok: true })
  await expect.poll(() => second.result(call.invocationId)).toMatchObject({ status })
  expect(ran).toHaveLength(status === 'succeeded' ? 1 : 0)
})
