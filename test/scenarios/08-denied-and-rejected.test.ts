import { expect, it, vi } from 'vitest'
import { defineHook, defineTool, type ApprovalAnswer, type Approver, type Decider } from 'toolcrib'
import { collect, onBothStores, openCrib, shownText } from './open-crib.js'

onBothStores(
  '[AT-SCEN-08] acceptance scenario 8: a denied or rejected call ends in an error result',
  (newStore) => {
    async function callWrite(options: { decider?: Decider; approver?: Approver }) {
      const execute = vi.fn(() => 'written')
      const after = vi.fn()
      const crib = await openCrib({
        store: newStore(),
        tools: [defineTool({ name: 'write', description: 'Writes.', execute })],
        hooks: [
          defineHook({ id: 'after', event: 'post_tool_use', run: after }),
          defineHook({ id: 'after-failure', event: 'post_tool_use_failure', run: after }),
        ],
        ...options,
      })
      const surface = await crib.surface({ scope: 'turn' })
      const call = crib.call(surface, { name: 'write', nativeCallId: 'call_8' })
      const result = await call
      expect(execute).not.toHaveBeenCalled()
      expect(after).not.toHaveBeenCalled()
      expect(result).toMatchObject({ is_error: true, invocation_id: call.invocationId })
      expect(result.toolcrib).toMatchObject({ native_call_id: 'call_8' })
      const story = (await crib.story(call.invocationId))!
      expect(story.result).toEqual(JSON.parse(JSON.stringify(result)))
      expect(story.invocation).toMatchObject({ status: 'denied', native_call_id: 'call_8' })
      expect(story.invocation).not.toHaveProperty('started_at')
      expect(story.invocation).not.toHaveProperty('call_input')
      const types = (await collect(crib.events())).map(({ event_type: type }) => type)
      expect(types.filter((type) => type === 'tool.result.created')).toHaveLength(1)
      expect(types).not.toContain('tool.invocation.started')
      return { result, story }
    }

    it('[AT-PIPE-02] [AT-RES-03] [AT-PERM-04] denied by a rule', async () => {
      const { result, story } = await callWrite({
        decider: () => ({
          behavior: 'deny',
          source: 'project_settings',
          reason: { type: 'rule', rule_ref: 'rule:secrets', message: 'Writes under .secrets are denied.' },
          rule_refs: ['rule:secrets'],
          policy_refs: ['policy:files'],
          blocked_path: '/workspace/.secrets/token',
        }),
      })
      expect(result).toMatchObject({
        status: 'denied',
        error: {
          error_class: 'permission_denied',
          recoverability: 'change_arguments_or_policy',
          retry_after: null,
          policy_refs: ['policy:files'],
        },
        policy_refs: ['policy:files'],
        ui_facing_summary: expect.stringMatching(/^"write" was not allowed to do this/),
      })
      expect(shownText(result)).toContain('Writes under .secrets are denied.')
      expect(story.decisions).toMatchObject([
        {
          behavior: 'deny',
          mode: 'default',
          source: 'project_settings',
          rule_refs: ['rule:secrets'],
          policy_refs: ['policy:files'],
          blocked_path: '/workspace/.secrets/token',
        },
      ])
      expect(story.invocation.policy_refs).toEqual(['policy:files'])
    })

    it('a call blocked by a policy is distinguished from a rule', async () => {
      const { result } = await callWrite({
        decider: () => ({ behavior: 'deny', reason: { type: 'policy', message: 'Frozen for the audit.' } }),
      })
      expect(result).toMatchObject({ status: 'denied', error: { error_class: 'policy_blocked' } })
    })

    it('rejected by a person, with their message', async () => {
      const { result, story } = await callWrite({
        approver: () => ({ approved: false, feedback: 'Ask me on Monday.', by: 'anna' }),
      })
      expect(result).toMatchObject({
        status: 'rejected',
        error: {
          error_class: 'approval_rejected',
          error_code: 'toolcrib.approval_rejected',
          recoverability: 'ask_again',
        },
      })
      expect(shownText(result)).toContain('Ask me on Monday.')
      expect(story.decisions.map(({ behavior }) => behavior)).toEqual(['ask', 'deny'])
      expect(story.invocation.status_transitions!.map(({ to }) => to)).toEqual([
        'planned',
        'selected',
        'arguments_ready',
        'awaiting_approval',
        'denied',
      ])
    })

    it('a call without an approver is rejected with that reason', async () => {
      const { result, story } = await callWrite({})
      expect(result).toMatchObject({
        status: 'rejected',
        error: { error_class: 'approval_rejected', error_code: 'toolcrib.nobody_to_ask' },
      })
      expect(shownText(result)).toContain('nobody to ask')
      expect(story.decisions).toMatchObject([{ behavior: 'ask' }, { behavior: 'deny' }])
    })

    it.each<[string, Approver]>([
      [
        'throws',
        () => {
          throw new Error('the terminal is gone')
        },
      ],
      ['rejects', () => Promise.reject(new Error('the terminal is gone'))],
      ['answers nothing', () => undefined as unknown as ApprovalAnswer],
      ['answers nonsense', () => ({ approved: 'yes' }) as unknown as ApprovalAnswer],
    ])('an approver that %s has not approved', async (_what, approver) => {
      const { result } = await callWrite({ approver })
      expect(result).toMatchObject({ status: 'rejected', error: { error_class: 'approval_rejected' } })
    })

    it('a passthrough that nothing answers requires approval, and is rejected without an approver', async () => {
      const { result, story } = await callWrite({ decider: () => ({ behavior: 'passthrough' }) })
      expect(result.status).toBe('rejected')
      expect(story.decisions.map(({ behavior }) => behavior)).toEqual(['passthrough', 'deny'])
    })
  },
)
