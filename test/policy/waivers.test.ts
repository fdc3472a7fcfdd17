import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import type { Policy } from '../../src/policy/policy.js'
import { openCrib } from '../scenarios/open-crib.js'
import { callOf, policyWith, READS, rulesOf, setOf, toolOf, type RuleLists } from './rule-fixtures.js'
import { versionOf } from '../crib/records/version-of.js'

const END = Date.UTC(2030, 0, 31)
const until = '2030-01-31T00:00:00Z'
const waiver = (rule: string, more: object = {}) => ({ rule, reason: 'A migration.', until, ...more })
const call = callOf(toolOf('db.drop'), { facts: READS })

function policyAt(lists: RuleLists, clock: { now: number }, others: RuleLists = {}): Policy {
  const rules = [...rulesOf(lists, 'policy_settings'), ...rulesOf(others, 'user_settings')]
  return policyWith(rules, { now: () => clock.now })
}

describe('a waiver', () => {
  it('lifts its rule until it expires, and then the rule applies again by itself', () => {
    const clock = { now: END - 1 }
    const policy = policyAt({ deny: ['db.drop'], waivers: [waiver('db.drop')] }, clock)
    const { revision } = policy
    expect(policy.judge(call).behavior).toBe('allow')
    clock.now = END
    // Code that depends on the revision must be notified without a judged call.
    expect(policy.revision).not.toBe(revision)
    expect(policy.judge(call).behavior).toBe('deny')
    expect(policy.mayHide('db.drop') && policy.hidingRule(call.tool, call)).toMatchObject({ text: 'db.drop' })
  })

  it('is visible in the judgement, the verdict and the explanation', () => {
    const policy = policyAt(
      { deny: ['db.drop'], waivers: [waiver('db.drop', { by: 'ann' })] },
      { now: END - 1 },
    )
    const judgement = policy.judge(call)
    expect(judgement.waived).toMatchObject({
      text: 'db.drop',
      waiver: { reason: 'A migration.', by: 'ann', until: END, ref: 'waiver:policy_settings:db.drop' },
    })
    expect(policy.decide(call as never).reason).toMatchObject({
      toolcrib: {
        waived: versionOf('rule:policy_settings:deny:db.drop'),
        waiver: versionOf('waiver:policy_settings:db.drop'),
      },
    })
    expect(policy.explain(call).considered).toMatchObject([{ text: 'db.drop', matched: 'waived' }])
  })

  it('lifts no rule of another source', () => {
    const lists = { deny: ['db.drop'] }
    const other = setOf({ waivers: [waiver('db.drop')] })
    expect(other.problems[0]?.message).toContain('no deny or ask rule here reads "db.drop"')
    const both = policyAt({ deny: ['db.drop'], waivers: [waiver('db.drop')] }, { now: 0 }, lists)
    expect(both.judge(call)).toMatchObject({ behavior: 'deny', rule: { source: 'user_settings' } })
  })

  it('is not reported if a stricter rule decides anyway', () => {
    const policy = policyAt({ ask: ['db.drop'], deny: ['db.*'], waivers: [waiver('db.drop')] }, { now: 0 })
    expect(policy.judge(call)).toMatchObject({ behavior: 'deny', waived: undefined })
  })

  it('lifts rules about paths for every tool that they apply to', () => {
    const policy = policyAt({ deny: ['Read(.env)'], waivers: [waiver('Read(.env)')] }, { now: 0 })
    const path = { access: 'read', path: '/x/.env', real: '/x/.env', isGlob: false } as const
    const touched = { paths: [path], hosts: [], urls: [], command: undefined, commandText: undefined }
    expect(policy.judge({ ...call, touched })).toMatchObject({
      behavior: 'allow',
      waived: { text: 'Read(.env)' },
    })
  })

  it.each([
    [{}, 'needs "rule", "reason" and "until"'],
    ['db.drop', 'needs "rule", "reason" and "until"'],
    [{ rule: 'db.drop', until }, 'needs "rule"'],
    [{ rule: 'db.drop', reason: ' ', until }, 'needs "rule"'],
    [{ rule: 'db.drop', reason: 'x' }, 'a time such as'],
    [{ rule: 'db.drop', reason: 'x', until: 'soon' }, 'a time such as'],
    [{ rule: 'db.drop', reason: 'x', until: 7 }, 'a time such as'],
    [waiver('math.add'), 'no deny or ask rule here reads "math.add"'],
    [waiver('db.drop*'), 'no deny or ask rule'],
  ])('that is incomplete lifts nothing, and is reported: %j', (bad, message) => {
    const set = setOf({ deny: ['db.drop'], allow: ['math.add'], waivers: [bad] })
    expect(set.problems[0]?.message).toContain(message)
    expect(set.rules.every((rule) => rule.waiver === undefined)).toBe(true)
  })

  it('is a list', () => {
    expect(setOf({ deny: ['db.drop'], waivers: waiver('db.drop') as never }).problems[0]?.message).toContain(
      'must be a list',
    )
  })

  it('of an open crib expires by itself: the tool is gone from the surface, and the decision stays recorded', async () => {
    const clock = { now: END - 5 }
    const crib = await openCrib({
      clock: () => clock.now,
      tools: [
        defineTool({
          namespace: 'db',
          name: 'drop',
          description: 'Drop.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => 1,
        }),
      ],
      permission: { deny: ['db.drop'], waivers: [waiver('db.drop')] },
    })
    const surface = await crib.surface({ scope: 'session' })
    const first = crib.call(surface, { name: 'db.drop' })
    expect((await first).is_error).toBe(false)
    clock.now = END
    expect(surface.record.blocked_tools).toMatchObject([{ tool_id: 'db.drop', reason: 'policy_blocked' }])
    expect((await crib.call(surface, { name: 'db.drop' })).is_error).toBe(true)
    const [decision] = (await crib.story(first.invocationId))!.decisions
    expect(decision).toMatchObject({
      behavior: 'allow',
      reason: { toolcrib: { waived: expect.any(String) } },
    })
    await crib.flush()
    for (const ref of [...decision!.policy_refs!, `policy:${crib.policy.revision}`]) {
      expect(await crib.resolveRef(ref)).toMatchObject({ rules: [{ text: 'db.drop' }] })
    }
  })
})
