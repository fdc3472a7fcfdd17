import { describe, expect, it } from 'vitest'
import { defineTool, type SurfaceRequest } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'

const tool = (namespace: string, name: string, more: object = {}) =>
  defineTool({
    namespace,
    name,
    description: `The tool ${name}.`,
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => name,
    ...more,
  })

const tools = [
  tool('files', 'drop', { aliases: ['wipe'] }),
  tool('math', 'add'),
  tool('github', 'create', {
    externalMappings: [{ source: 'mcp', server_id: 'github', tool_name: 'create' }],
  }),
]

/** The state of each tool on the surface, and the status of a call of it. */
async function standings(permission: object, request: Partial<SurfaceRequest> = {}) {
  const crib = await openCrib({ tools, permission })
  const surface = await crib.surface({ scope: 'turn', ...request })
  const outcomes: Record<string, string> = {}
  for (const { toolId } of crib.tools()) {
    const { visibility } =
      surface
        .current()
        .hidden()
        .find((each) => each.tool.toolId === toolId) ?? {}
    const { error, is_error } = await crib.call(surface, { name: toolId })
    outcomes[toolId] = `${visibility?.reason ?? 'loaded'} ${is_error ? error!.toolcrib!['reason'] : 'ran'}`
  }
  return outcomes
}

describe('a hidden tool is denied, and a tool that is denied for every call is hidden', () => {
  it.each<[object, string[]]>([
    [{ deny: ['files.drop'] }, ['files.drop']],
    [{ deny: ['FILES.DROP'] }, ['files.drop']],
    [{ deny: ['wipe'] }, ['files.drop']],
    [{ deny: ['files__drop'] }, ['files.drop']],
    [{ deny: ['*'] }, ['files.drop', 'math.add', 'github.create']],
    [{ deny: ['mcp__github'] }, ['github.create']],
    [{ deny: ['mcp__github__*'] }, ['github.create']],
    [{ deny: ['files.drop(*)'] }, ['files.drop']],
    [{ deny: ['math.add', 'github.create'], allow: ['*'] }, ['math.add', 'github.create']],
    [{ deny: [{ rule: 'math.add', when: { actor: 'ann' } }] }, ['math.add']],
    [{ deny: [{ rule: 'math.add', when: { actor: 'bob' } }] }, []],
    [{ deny: [{ rule: 'math.add', when: { role: 'guest', session: 's1' } }] }, ['math.add']],
    [{ deny: [{ rule: 'math.add', when: { mode: 'default' } }] }, ['math.add']],
    [{ deny: [{}] }, ['files.drop', 'math.add', 'github.create']],
    [{ ask: ['math.add('] }, ['math.add']],
  ])('%j', async (permission, hidden) => {
    const outcomes = await standings(permission, { actor: 'ann', role: 'guest', session: 's1' })
    for (const [toolId, visibility] of Object.entries(outcomes)) {
      const expected = hidden.includes(toolId) ? 'policy_blocked policy_blocked' : 'loaded ran'
      expect([toolId, visibility]).toEqual([toolId, expected])
    }
  })

  it.each([
    [{ deny: [{ rule: 'math.add', when: { args: 'a > 1' } }] }],
    [{ deny: ['math.add(a > 1)'] }],
    [{ deny: [{ rule: 'math.add', when: { risk: 'high' } }] }],
    [{ deny: [{ rule: 'math.add', when: { destructive: true } }] }],
  ])('a rule that depends on the call, or only may hold, hides nothing: %j', async (permission) => {
    expect((await standings(permission))['math.add']).toMatch(/^loaded /)
  })

  it('both are judged in the mode of the crib, not in the mode that the surface names', async () => {
    const permission = { deny: [{ rule: 'math.add', when: { mode: 'default' } }] }
    expect((await standings(permission, { mode: 'non_interactive' }))['math.add']).toBe(
      'policy_blocked policy_blocked',
    )
    const planning = { ...permission, mode: 'plan' }
    expect((await standings(planning, { mode: 'default' }))['math.add']).toBe('loaded ran')
  })

  it('the surface names the rule', async () => {
    const crib = await openCrib({ tools, permission: { deny: ['math.add'] } })
    const { record } = await crib.surface({ scope: 'turn' })
    expect(record.blocked_tools).toMatchObject([{ tool_id: 'math.add', reason: 'policy_blocked' }])
    const { error } = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'math.add' })
    expect(error?.message).toContain('deny math.add of the rules given at the start')
  })
})

describe('a change of the rules', () => {
  it('rebuilds the open surfaces', async () => {
    const crib = await openCrib({ tools, permission: {} })
    const surface = await crib.surface({ scope: 'session', session: 's1' })
    const other = await crib.surface({ scope: 'session', session: 's2' })
    const { toolcrib: before } = surface.record
    const seen = () => surface.tools().map(({ toolId }) => toolId)
    expect(seen()).toContain('math.add')
    const update = { behavior: 'deny', rules: ['math.add'], destination: 'session' } as const
    await crib.policy.update({ type: 'add_rules', ...update }, { session: 's1' })
    expect(seen()).not.toContain('math.add')
    expect(surface.record.toolcrib).not.toEqual(before)
    expect(other.tools().map(({ toolId }) => toolId)).toContain('math.add')
    expect((await crib.call(surface, { name: 'math.add' })).is_error).toBe(true)
    expect((await crib.call(other, { name: 'math.add' })).is_error).toBe(false)
    await crib.policy.update({ type: 'remove_rules', ...update }, { session: 's1' })
    expect(seen()).toContain('math.add')
    expect((await crib.call(surface, { name: 'math.add' })).is_error).toBe(false)
  })

  it('a tool that is added later is judged like the others', async () => {
    const crib = await openCrib({
      tools: [tool('math', 'add')],
      permission: { deny: ['late.*'], allow: ['save'] },
    })
    const surface = await crib.surface({ scope: 'session' })
    await crib.add([tool('late', 'one'), tool('notes', 'save', { isReadOnly: false })])
    expect((await crib.call(surface, { name: 'late.one' })).error?.toolcrib?.['reason']).toBe(
      'policy_blocked',
    )
    expect((await crib.call(surface, { name: 'notes.save' })).is_error).toBe(false)
    // As soon as another tool has that name, the allow matches neither.
    await crib.add([tool('evil', 'save', { isReadOnly: false })])
    expect((await crib.call(surface, { name: 'notes.save' })).is_error).toBe(true)
    expect((await crib.call(surface, { name: 'evil.save' })).is_error).toBe(true)
  })
})
