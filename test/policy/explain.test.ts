import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import type { Policy } from '../../src/policy/policy.js'
import { openCrib } from '../scenarios/open-crib.js'
import {
  callOf,
  HOME,
  part,
  READS,
  readTool,
  reading,
  rulesOf,
  running,
  shellTool,
  toolOf,
  touching,
  pathOf,
  policyWith,
  WORK,
  type RuleLists,
} from './rule-fixtures.js'

const policyOf = (lists: RuleLists): Policy => policyWith(rulesOf(lists, 'project_settings'))

describe('an explanation', () => {
  it('has every rule about the tool, with the result of each', () => {
    const lists = {
      deny: ['Read(.env)', 'other.tool', { rule: 'files.read', when: { risk: 'high' } }, 'files.read('],
      ask: ['files.*(./src/**)'],
      allow: ['files.read(./**)', 'Edit(./**)'],
    }
    const { considered, judgement } = policyOf(lists).explain(
      callOf(readTool, { facts: READS, touched: reading(`${WORK}/.env`) }),
    )
    expect(considered.map(({ behavior, text, matched }) => [behavior, text, matched])).toEqual([
      ['deny', 'Read(.env)', 'yes'],
      ['deny', 'files.read', 'maybe'],
      ['deny', 'files.read(', 'yes'],
      ['ask', 'files.*(./src/**)', 'no'],
      ['allow', 'files.read(./**)', 'yes'],
      ['allow', 'Edit(./**)', 'no'],
    ])
    expect(considered[2]?.problem).toEqual(expect.any(String))
    expect(judgement.behavior).toBe('deny')
  })

  it('reports allows that cover a part: together they may be the reason', () => {
    const lists = { allow: ['Bash(git add:*)', 'Bash(npm test)', 'Bash(git push)'] }
    const touched = running({ commands: [part('git add .'), part('npm test')] })
    const { considered, judgement } = policyOf(lists).explain(callOf(shellTool, { touched }))
    expect(judgement.behavior).toBe('allow')
    expect(considered.map(({ matched }) => matched)).toEqual(['part', 'part', 'no'])
    const paths = [pathOf('read', `${WORK}/a`), pathOf('read', '/etc/x')]
    const read = callOf(readTool, { touched: touching({ paths }) })
    expect(policyOf({ allow: ['files.read(./**)'] }).explain(read).considered).toMatchObject([
      { matched: 'part' },
    ])
  })

  it.each([
    ['declared', 'The tool declares that it writes.'],
    ['inferred', 'The tool may write with this input.'],
    ['default', 'The tool may write: no trusted source declares that it only reads.'],
  ])('of a call that no rule is about says whether writing is %s', (origin, message) => {
    const facts = { ...READS, is_read_only: false, origins: { ...READS.origins, is_read_only: origin } }
    const { judgement } = policyOf({}).explain(callOf(readTool, { facts }))
    expect(judgement).toMatchObject({ behavior: 'ask', reason: { message } })
  })

  it('says what would change it', () => {
    const changes = (lists: RuleLists, more = {}): string =>
      policyOf(lists)
        .explain(callOf(toolOf('math.add'), { facts: READS, ...more }))
        .whatWouldChange.join(' ')
    expect(changes({})).toContain('A deny or ask rule that matches would stop it')
    expect(changes({ deny: ['math.add', 'math.*'] })).toMatch(
      /The rule deny math\.add of the project config would have to be removed, narrowed or waived\. So would deny math\.\*/,
    )
    expect(changes({ ask: ['math.add'] })).toContain(
      'Removing ask math.add from the project config would allow it',
    )
    const writes = { facts: { ...READS, is_read_only: false } }
    expect(changes({}, writes)).toContain('Adding allow math.add to this session would allow it')
    expect(changes({}, { ...writes, mode: 'plan' })).toContain('Another permission mode')
    expect(changes({}, { ...writes, mode: 'dontAsk' })).toContain('Another permission mode')
    expect(changes({}, { facts: { ...READS, requires_user_interaction: true } })).toContain(
      'needs a person each time',
    )
    const key = { touched: touching({ paths: [pathOf('read', `${HOME}/.ssh/id`)] }) }
    expect(changes({}, key)).toContain('protected places are decided one by one')
  })

  it('neither judging nor explaining changes anything', () => {
    const policy = policyOf({ ask: ['math.add'], allow: ['math.*'] })
    const frozen = Object.freeze(callOf(toolOf('math.add'), { input: Object.freeze({ a: 1 }) }))
    const { revision } = policy
    const first = policy.judge(frozen)
    policy.explain(frozen)
    policy.decide(frozen as never)
    expect(policy.judge(frozen)).toEqual(first)
    expect(policy.revision).toBe(revision)
  })
})

describe('the revision of a policy', () => {
  it('follows from the content, and changes with every part of it', () => {
    const of = (lists: RuleLists): string => policyOf(lists).revision
    expect(of({ deny: ['a'] })).toBe(of({ deny: ['a'] }))
    const all = [
      of({}),
      of({ deny: ['a'] }),
      of({ ask: ['a'] }),
      of({ deny: ['a', 'b'] }),
      of({ deny: [{ rule: 'a', when: { actor: 'ann' } }] }),
      of({ deny: ['a('] }),
      of({ deny: ['a'], waivers: [{ rule: 'a', reason: 'x', until: '2030-01-01' }] }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('crib.explain', () => {
  const look = defineTool({
    namespace: 'notes',
    name: 'look',
    description: 'Look at a note.',
    input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    paths: { path: 'read' },
    isReadOnly: true,
    isOpenWorld: false,
    aliases: ['peek'],
    execute: () => 'seen',
  })

  it('predicts the decision that the call gets', async () => {
    const crib = await openCrib({
      tools: [look],
      workspace: '/work/project',
      tenant: 't1',
      actor: 'ann',
      permission: {
        deny: [
          'Read(.env)',
          { rule: 'notes.look', when: { actor: 'bob' } },
          { rule: 'notes.look(./mine/**)', when: { tenant: 't1', actor: 'ann' } },
        ],
        ask: [{ rule: 'notes.look', when: { session: 's1' } }],
      },
    })
    const cases = [
      { request: {}, path: 'a.md' },
      { request: {}, path: '.env' },
      { request: {}, path: 'mine/a' },
      { request: { actor: 'bob' }, path: 'a.md' },
      { request: { session: 's1' }, path: 'a.md' },
      { request: { session: 's1' }, path: '/x/.env' },
      { request: { workspace: '/work' }, path: 'project/mine/a' },
    ]
    for (const { request, path } of cases) {
      const said = crib.explain({ tool: 'peek', input: { path }, ...request })
      const call = crib.call(await crib.surface({ scope: 'turn', ...request }), {
        name: 'peek',
        input: { path },
      })
      await call
      const [decision] = (await crib.story(call.invocationId))?.decisions ?? []
      const done = decision ?? { behavior: 'deny' }
      expect([path, said.behavior]).toEqual([path, done.behavior])
      if (decision) expect(said.rule_refs).toEqual(decision.rule_refs ?? [])
    }
    const said = crib.explain({ tool: 'notes.look', input: { path: '.env' } })
    expect(said).toMatchObject({
      tool_id: 'notes.look',
      behavior: 'deny',
      mode: 'default',
      source: 'flag_settings',
      winning_rule: { text: 'Read(.env)', matched: 'yes' },
      blocked_path: '/work/project/.env',
      reads: ['/work/project/.env'],
      facts: { is_read_only: true },
    })
  })

  it('uses the mode of the session', async () => {
    const crib = await openCrib({ tools: [look], permission: {} })
    await crib.policy.update({ type: 'set_mode', mode: 'plan', destination: 'session' }, { session: 's1' })
    expect(crib.explain({ tool: 'notes.look', session: 's1' }).mode).toBe('plan')
    expect(crib.explain({ tool: 'notes.look', session: 's1', mode: 'bypass' }).mode).toBe('plan')
    expect(crib.explain({ tool: 'notes.look' }).mode).toBe('default')
    expect(crib.explain({ tool: 'notes.look', mode: 'bypass' }).mode).toBe('bypass')
  })

  it('supports tool names of other agents', async () => {
    const crib = await openCrib({
      permission: { deny: ['Read(.env)', 'mcp__github', 'WebSearch'], allow: ['Edit(./**)'] },
    })
    const outcome = (tool: string, input: object): string => crib.explain({ tool, input }).behavior
    expect(outcome('Read', { file_path: '.env' })).toBe('deny')
    expect(outcome('Grep', { path: '.env' })).toBe('deny')
    expect(outcome('Edit', { file_path: 'a.ts' })).toBe('allow')
    expect(outcome('MultiEdit', { file_path: 'a.ts' })).toBe('allow')
    expect(outcome('mcp__github__create', {})).toBe('deny')
    expect(outcome('WebSearch', { query: 'x' })).toBe('deny')
    expect(outcome('stranger.tool', { path: '.env' })).toBe('deny')
    expect(outcome('stranger.tool', { path: 'env' })).toBe('ask')
    expect(outcome('Read', { file_path: 'a\0b' })).toBe('allow')
  })
})
