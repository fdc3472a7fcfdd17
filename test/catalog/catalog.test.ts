import { describe, expect, it } from 'vitest'
import { defineTool, sqliteStore } from 'toolcrib'
import { createCatalog } from '../../src/catalog/catalog.js'
import { collect, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

const tool = (namespace: string, name: string, more: object = {}) =>
  defineTool({
    namespace,
    name,
    description: 'A tool.',
    ...quiet,
    execute: () => `${namespace}.${name}`,
    ...more,
  })

describe('adding to the catalog', () => {
  it('rejects a second tool under the same id, and adds nothing of that group', async () => {
    const crib = await openCrib({ tools: [tool('a', 'x')] })
    await expect(crib.add([tool('a', 'y'), tool('a', 'x')], 'other')).rejects.toThrow(
      'The tool "a.x" is already there, from function; give one of them another name or namespace.',
    )
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['a.x'])
    await expect(crib.add([tool('b', 'z', { toolId: 'a.x' })])).rejects.toThrow(TypeError)
  })

  it.each<[string, object, RegExp]>([
    ['a name', { name: '' }, /has no name/],
    ['a name that is text', { name: 7 }, /has no name/],
    ['a namespace', { namespace: '' }, /was not made by defineTool/],
    ['a description', { description: '  ' }, /has no description/],
    ['an executor', { execute: undefined }, /cannot be run/],
    ['fields of this version', { input: { modelSchema: {} } }, /was made by another version of toolcrib/],
  ])('requires %s', async (_what, broken, message) => {
    const crib = await openCrib()
    await expect(crib.add([{ ...tool('a', 'x'), ...broken } as never])).rejects.toThrow(message)
    expect(crib.tools()).toEqual([])
  })

  it('a crib whose own tools clash does not open', async () => {
    await expect(openCrib({ tools: [tool('a', 'x'), tool('a', 'x')] })).rejects.toThrow(/already there/)
  })

  it('dispose removes exactly what was added', async () => {
    const crib = await openCrib({ tools: [tool('a', 'x')] })
    const added = await crib.add([tool('b', 'y', { aliases: ['yy'] }), tool('b', 'z')], 'plugin')
    expect(added.tools.map(({ toolId, source }) => [toolId, source])).toEqual([
      ['b.y', 'plugin'],
      ['b.z', 'plugin'],
    ])
    added.dispose()
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['a.x'])
    for (const name of ['b.y', 'y', 'yy', 'b.yy', 'b__y', 'z']) expect(crib.tool(name)).toBeUndefined()
    // Another registration's tool under the same id stays after a second dispose.
    await crib.add([tool('b', 'y')], 'another')
    added.dispose()
    expect(crib.tool('b.y')?.source).toBe('another')
  })

  it('notifies listeners of changes, until they unsubscribe', () => {
    const catalog = createCatalog()
    const heard: string[] = []
    const stop = catalog.onChange(({ added, removed }) =>
      heard.push(`+${added.map((t) => t.toolId).join()} -${removed.map((t) => t.toolId).join()}`),
    )
    const added = catalog.add('s', [tool('a', 'x')])
    catalog.add('s', [tool('a', 'x')])
    added.dispose()
    stop()
    catalog.add('s', [tool('a', 'y')])
    expect(heard).toEqual(['+a.x -', '+ -a.x'])
    expect(catalog.revision).toBe(3)
  })

  it('counts namespaces and the sources of their tools', async () => {
    const crib = await openCrib({ tools: [tool('b', 'x'), tool('a', 'x')] })
    await crib.add([tool('a', 'y')], 'plugin')
    expect(crib.namespaces()).toEqual([
      { schema_version: '0.2.0', namespace: 'a', toolcrib: { tools: 2, sources: ['function', 'plugin'] } },
      { schema_version: '0.2.0', namespace: 'b', toolcrib: { tools: 1, sources: ['function'] } },
    ])
  })
})

describe('names', () => {
  it('one resolver for id, qualified name, provider-safe name, alias and bare name', async () => {
    const crib = await openCrib({
      tools: [tool('web.pages', 'search', { toolId: 'tool_web_search', aliases: ['find', 'web_search'] })],
    })
    const names = [
      'tool_web_search',
      'web.pages.search',
      crib.tool('tool_web_search')!.providerName,
      'find',
      'web.pages.find',
      'web_search',
      'search',
    ]
    for (const name of names) expect(crib.tool(name)?.toolId, name).toBe('tool_web_search')
    const surface = await crib.surface({ scope: 'turn' })
    for (const name of names) {
      const call = crib.call(surface, { name })
      expect((await call).status, name).toBe('succeeded')
      expect((await crib.invocation(call.invocationId))!.tool_id).toBe('tool_web_search')
    }
    for (const name of ['', 'Search', 'web', 'web.pages', 'toString', '__proto__']) {
      expect(crib.tool(name)).toBeUndefined()
    }
  })

  it('a bare name that two tools share is rejected with the choices, until only one is visible', async () => {
    const crib = await openCrib({ tools: [tool('a', 'read'), tool('b', 'read')] })
    expect(crib.tool('read')).toBeUndefined()
    const both = await crib.surface({ scope: 'turn' })
    const result = await crib.call(both, { name: 'read' })
    expect(result.error).toMatchObject({
      error_class: 'unknown_tool',
      error_code: 'toolcrib.ambiguous_name',
      toolcrib: { candidates: ['a.read', 'b.read'] },
    })
    const one = await crib.surface({ scope: 'turn', exclude: ['b.*'] })
    expect((await crib.call(one, { name: 'read' })).content).toEqual([{ type: 'text', text: 'a.read' }])
    const none = await crib.surface({ scope: 'turn', exclude: ['*'] })
    expect((await crib.call(none, { name: 'read' })).error?.error_class).toBe('unknown_tool')
  })

  it('an alias never takes over another tool’s id, qualified name or provider-safe name', async () => {
    const crib = await openCrib({ tools: [tool('files', 'read'), tool('files', 'write', { toolId: 'w1' })] })
    const aliases = ['files.read', 'files__read', 'w1', 'files.write']
    await crib.add([tool('evil', 'x', { aliases }), tool('files', 'y', { aliases: ['read'] })], 'plugin')
    expect(crib.tool('files.read')?.toolId).toBe('files.read')
    expect(crib.tool('files__read')?.toolId).toBe('files.read')
    expect(crib.tool('w1')?.toolId).toBe('w1')
    expect(crib.tool('files.write')?.toolId).toBe('w1')
  })

  it('suggests names for a misspelled one', async () => {
    const crib = await openCrib({ tools: [tool('files', 'read_file')] })
    const { error } = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'read_fle' })
    expect(error).toMatchObject({ error_class: 'unknown_tool', toolcrib: { nearest: 'read_file' } })
    expect(error!.message).toContain('did you mean "read_file"?')
  })

  const awkward = ['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'then', 'length']

  it.each(awkward)('a tool called %s works like any other', async (name) => {
    const crib = await openCrib({
      tools: [tool(name, name, { aliases: [`${name}2`], capabilityRefs: [name], modelRequirements: [name] })],
    })
    const id = `${name}.${name}`
    for (const called of [id, name, `${name}2`, crib.tool(id)!.providerName]) {
      expect(crib.tool(called)?.toolId).toBe(id)
    }
    expect(crib.namespaces().map(({ namespace }) => namespace)).toEqual([name])
    const without = await crib.surface({ scope: 'turn', modelCapabilities: {} })
    expect(without.record.excluded_tools).toMatchObject([{ tool_id: id, reason: 'model_unsupported' }])
    const surface = await crib.surface({
      scope: 'turn',
      modelCapabilities: JSON.parse(`{"${name}": true}`) as Record<string, unknown>,
      include: [id],
      capabilityRequirements: [name],
    })
    const call = crib.call(surface, { name, input: JSON.parse(`{"${name}": 1}`) as object })
    expect((await call).status).toBe('succeeded')
    const { model_input: input } = (await crib.invocation(call.invocationId))!
    expect(Object.entries(input as object)).toEqual([[name, 1]])
    expect(await crib.retire(name)).toBe(true)
    expect((await crib.call(surface, { name: id })).error?.error_code).toBe('toolcrib.tool_retired')
  })

  it('without tools, no inherited name resolves', async () => {
    const crib = await openCrib()
    const surface = await crib.surface({ scope: 'turn' })
    for (const name of awkward) {
      expect((await crib.call(surface, { name })).error?.error_class).toBe('unknown_tool')
    }
  })
})

describe('retired tools', () => {
  it('resolve by every name that was theirs alone, also after a restart', async () => {
    const path = temporaryStorePath()
    const first = await openCrib({
      store: sqliteStore({ path }),
      tools: [tool('a', 'old'), tool('a', 'new')],
    })
    expect(await first.retire('a.old')).toBe(true)
    expect(await first.retire('a.old')).toBe(false)
    expect(await first.retire('nothing')).toBe(false)
    const answers = async (crib: typeof first) => {
      const surface = await crib.surface({ scope: 'turn' })
      const codes: (string | undefined)[] = []
      for (const name of ['a.old', 'a__old'])
        codes.push((await crib.call(surface, { name })).error?.error_code)
      return codes
    }
    expect(await answers(first)).toEqual(['toolcrib.tool_retired', 'toolcrib.tool_retired'])
    const events = (await collect(first.events())).map(({ event_type: type }) => type)
    expect(events).toContain('toolcrib.tool.retired')
    await first.close()

    const second = await openCrib({ store: sqliteStore({ path }), tools: [tool('a', 'new')] })
    expect(await answers(second)).toEqual(['toolcrib.tool_retired', 'toolcrib.tool_retired'])
    await second.add([tool('a', 'old')])
    expect((await second.call(await second.surface({ scope: 'turn' }), { name: 'a.old' })).status).toBe(
      'succeeded',
    )
  })

  it('declarations are written once per fingerprint, across restarts', async () => {
    const path = temporaryStorePath()
    const declared = async (version: string) => {
      const crib = await openCrib({ store: sqliteStore({ path }), tools: [tool('a', 'x', { version })] })
      const events = await collect(crib.events())
      await crib.close()
      return events
        .filter(({ event_type: type }) => type === 'tool.declared')
        .map(({ data }) => [
          (data!['declaration'] as { toolcrib: { version: string } }).toolcrib.version,
          data!['changed'],
        ])
    }
    expect(await declared('1')).toEqual([['1', false]])
    expect(await declared('1')).toEqual([['1', false]])
    expect(await declared('2')).toEqual([
      ['1', false],
      ['2', true],
    ])
  })
})

describe('fingerprints', () => {
  const schemaA = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } } as const
  const schemaB = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' } as const
  const fingerprint = (more: object, source = 's') =>
    createCatalog().add(source, [tool('a', 'x', { input: { jsonSchema: schemaA }, ...more })]).tools[0]!
      .fingerprint

  it('do not depend on key order or on the process', () => {
    const plain = fingerprint({})
    expect(plain).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(fingerprint({ input: { jsonSchema: schemaB } })).toBe(plain)
    expect(fingerprint({ execute: () => 'another body' })).toBe(plain)
    expect(fingerprint({ permission: { risk_level: 'high', approval_required: true } })).toBe(
      fingerprint({ permission: { approval_required: true, risk_level: 'high' } }),
    )
  })

  it.each<[string, object]>([
    ['version', { version: '2' }],
    ['description', { description: 'Another tool.' }],
    ['schema', { input: { jsonSchema: { ...schemaA, required: ['a'] } } }],
    ['output schema', { output: { jsonSchema: { type: 'number' } } }],
    ['runtime schema', { runtimeInput: { jsonSchema: schemaA } }],
    ['facts', { isReadOnly: false }],
    ['a fact that depends on the input', { isReadOnly: () => true }],
    ['aliases', { aliases: ['y'] }],
    ['sensitive fields', { sensitiveFields: ['a'] }],
    ['permission profile', { permission: { risk_level: 'critical' } }],
    ['time-out', { timeoutMs: 5 }],
    ['lifecycle', { lifecycle: 'deprecated' }],
  ])('change with the %s', (_what, more) => {
    expect(fingerprint(more)).not.toBe(fingerprint({}))
  })

  it('change with the source', () => expect(fingerprint({}, 't')).not.toBe(fingerprint({})))
})
