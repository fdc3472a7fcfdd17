import { expect, it } from 'vitest'
import { defineHook, defineTool, type Decider, type SurfaceRequest } from 'toolcrib'
import { onBothStores, openCrib } from './open-crib.js'
import { versionOf } from '../crib/records/version-of.js'

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => name,
    ...more,
  })

onBothStores('[AT-SCEN-16] acceptance scenario 16: why a tool was allowed or not', (newStore) => {
  it('[AR-CALL-03] [AT-PERM-01] each decision names who decided, the mode and the reason', async () => {
    const verdicts: Record<string, ReturnType<Decider>> = {
      'local.allowed': {
        behavior: 'allow',
        source: 'user_settings',
        reason: { type: 'rule', rule_ref: 'rule:1', message: 'Reading is fine.' },
        rule_refs: ['rule:1'],
      },
      'local.denied': {
        behavior: 'deny',
        source: 'policy_settings',
        reason: { type: 'policy', message: 'Not in this tenant.' },
        policy_refs: ['policy:tenant'],
      },
      'local.asked': {
        behavior: 'ask',
        source: 'session',
        reason: { type: 'mode', message: 'Everything is asked about.' },
        suggested_updates: [{ type: 'add_rules', rules: ['asked'] }],
        expires_at: '2026-01-02T00:00:00.000Z',
      },
    }
    const crib = await openCrib({
      store: newStore(),
      tools: [tool('allowed'), tool('denied'), tool('asked'), tool('defaulted')],
      decider: async ({ toolId }) => verdicts[toolId] ?? { behavior: 'allow' },
      approver: () => ({ approved: true, by: 'anna' }),
    })
    const surface = await crib.surface({ scope: 'turn' })
    const decisionsOf = async (name: string) => {
      const call = crib.call(surface, { name })
      await call
      return (await crib.story(call.invocationId))!.decisions
    }
    expect(await decisionsOf('allowed')).toMatchObject([
      {
        behavior: 'allow',
        mode: 'default',
        source: 'user_settings',
        reason: { type: 'rule', rule_ref: 'rule:1', message: 'Reading is fine.' },
        rule_refs: ['rule:1'],
      },
    ])
    expect(await decisionsOf('denied')).toMatchObject([
      { behavior: 'deny', source: 'policy_settings', policy_refs: ['policy:tenant'] },
    ])
    expect(await decisionsOf('asked')).toMatchObject([
      {
        behavior: 'ask',
        source: 'session',
        suggested_updates: [{ type: 'add_rules', rules: ['asked'] }],
        expires_at: '2026-01-02T00:00:00.000Z',
      },
      { behavior: 'allow', source: 'toolcrib.approver', reason: { type: 'permission_prompt_tool' } },
    ])
    expect(await decisionsOf('defaulted')).toMatchObject([
      { behavior: 'allow', source: 'toolcrib.decider', reason: { type: 'other' } },
    ])
  })

  it('without any policy the decision names the deciding fact, and its origin', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        tool('safe'),
        defineTool({ name: 'unstated', description: 'Says nothing.', execute: () => 1 }),
        tool('open', { isOpenWorld: true }),
        tool('person', { requiresUserInteraction: true }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const storyOf = async (name: string) => {
      const call = crib.call(surface, { name })
      await call
      return (await crib.story(call.invocationId))!
    }
    const safe = await storyOf('safe')
    expect(safe.decisions).toMatchObject([
      { behavior: 'allow', source: 'toolcrib.default', reason: { type: 'safety_check' } },
    ])
    expect(safe.invocation.toolcrib).toMatchObject({
      fact_origins: { is_read_only: 'declared', is_destructive: 'default' },
    })
    const unstated = await storyOf('unstated')
    expect(unstated.decisions[0]).toMatchObject({
      behavior: 'ask',
      reason: { message: expect.stringContaining('may write') },
    })
    expect(unstated.invocation.scheduler).toMatchObject({
      is_read_only: false,
      is_destructive: false,
      is_open_world: true,
      is_concurrency_safe: false,
    })
    expect((await storyOf('open')).decisions[0]).toMatchObject({
      reason: { message: expect.stringContaining('declares that it reaches other systems') },
    })
    expect((await storyOf('person')).decisions[0]).toMatchObject({
      reason: { message: expect.stringContaining('needs a person') },
    })
  })

  it('a waived ask names the hook that waived it', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'write', description: 'Writes.', execute: () => 'ok' })],
      hooks: [
        defineHook({
          id: 'trusted-folder',
          event: 'pre_tool_use',
          run: () => ({ permission: { behavior: 'allow', message: 'A scratch folder.' } }),
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
    expect((await call).status).toBe('succeeded')
    const { decisions, hooks } = (await crib.story(call.invocationId))!
    expect(decisions).toMatchObject([
      {
        behavior: 'allow',
        source: 'toolcrib.hook',
        reason: { type: 'hook', rule_ref: versionOf('hook:trusted-folder'), message: 'A scratch folder.' },
      },
    ])
    expect(hooks).toMatchObject([{ hook_id: 'trusted-folder', permission_result: { behavior: 'allow' } }])
  })

  it('[AT-SURF-03] [AT-SURF-04] a surface says why it hides each tool, and the call says the same', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        tool('plain'),
        tool('later', { shouldDefer: true, searchHint: 'something for later' }),
        tool('admin', { roles: ['admin'] }),
        tool('keyed', { requiredCredentials: ['github'] }),
        tool('unready', { requiresSetup: () => 'Run the installer.' }),
        tool('beta', { featureGates: ['beta'] }),
        tool('seeing', { modelRequirements: ['vision'] }),
        tool('spawn', { isRecursive: true }),
      ],
    })
    const request: SurfaceRequest = { scope: 'turn', role: 'reader', depth: 1, reason: 'a reader’s turn' }
    const surface = await crib.surface(request)
    const { record } = surface
    expect(record.loaded_tools).toEqual(['local.plain', 'tool.search'])
    expect(record.surface_reason).toBe('a reader’s turn')
    expect(record.deferred_tools).toMatchObject([
      { tool_id: 'local.later', reason: 'deferred_until_discovered', loading_state: 'discoverable' },
    ])
    const reasons = Object.fromEntries(
      [...record.blocked_tools!, ...record.excluded_tools!].map(({ tool_id: id, reason }) => [id, reason]),
    )
    expect(reasons).toEqual({
      'local.admin': 'role_not_allowed',
      'local.keyed': 'credential_missing',
      'local.unready': 'setup_required',
      'local.beta': 'feature_disabled',
      'local.seeing': 'model_unsupported',
      'local.spawn': 'recursive_tool_forbidden',
    })
    const refusalOf = async (name: string) => {
      const { error } = await crib.call(surface, { name })
      return [error?.error_class, error?.toolcrib?.['reason']]
    }
    expect(await refusalOf('later')).toEqual(['schema_not_loaded', 'deferred_until_discovered'])
    expect(await refusalOf('admin')).toEqual(['blocked_tool', 'role_not_allowed'])
    expect(await refusalOf('keyed')).toEqual(['credential_missing', 'credential_missing'])
    expect(await refusalOf('unready')).toEqual(['setup_required', 'setup_required'])
    expect(await refusalOf('beta')).toEqual(['blocked_tool', 'feature_disabled'])
    expect(await refusalOf('seeing')).toEqual(['capability_gap', 'model_unsupported'])
    expect(await refusalOf('spawn')).toEqual(['blocked_tool', 'recursive_tool_forbidden'])
    expect(await refusalOf('nowhere')).toEqual(['unknown_tool', undefined])
  })
})
