import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createCrib,
  defineClassifier,
  defineHook,
  defineTool,
  memoryStore,
  parseRecord,
  type CribOptions,
} from 'toolcrib'
import { reasonTypes, ruleSources } from '../../src/contract/unions.js'
import { ruleSetOf } from '../../src/policy/files/load-rules.js'
import { versionOf } from '../crib/records/version-of.js'
import { engineVersion } from '../crib/records/version-of.js'

const input = (properties: Record<string, object>) =>
  ({ jsonSchema: { type: 'object', properties } }) as const
const text = { type: 'string' }

const tools = [
  defineTool({ namespace: 'notes', name: 'write', description: 'Writes.', execute: () => 'done' }),
  defineTool({
    namespace: 'notes',
    name: 'sum',
    description: 'Sums.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => 'done',
  }),
  defineTool({
    namespace: 'files',
    name: 'read',
    kind: 'file_operation',
    description: 'Reads a file.',
    input: input({ path: text }),
    paths: { path: 'read' },
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => 'done',
  }),
  defineTool({
    namespace: 'shell',
    name: 'exec',
    kind: 'shell_command',
    description: 'Runs a command.',
    input: input({ command: text, unsandboxed: { type: 'boolean' } }),
    command: 'command',
    sandboxOverride: 'unsandboxed',
    classifierInput: ({ command }: { command?: string }) => command ?? '',
    execute: () => 'done',
  }),
]

interface Asked {
  options: Partial<CribOptions>
  call: { name: string; input?: unknown }
  surface?: object
}

/** All decisions of one call, in order. */
async function decisionsOf({ options, call, surface }: Asked) {
  const crib = await createCrib({ store: memoryStore(), tools, workspace: '/work/here', ...options })
  onTestFinished(() => crib.close())
  const result = await crib.call(await crib.surface({ scope: 'session', ...surface }), call)
  const { decisions } = (await crib.story(result.invocation_id))!
  for (const decision of decisions) expect(parseRecord('tool_permission_decision', decision).ok).toBe(true)
  return { decisions, last: decisions.at(-1)!, result, crib }
}

const write = { name: 'notes.write' }
const exec = (command: string, more: object = {}) => ({ name: 'shell.exec', input: { command, ...more } })
const yes = () => ({ approved: true, by: 'ann' }) as const

describe('[AT-PERM-01] a decision says why', () => {
  const cases: Record<(typeof reasonTypes)[number], Asked> = {
    rule: {
      options: { permission: { deny: ['notes.write(arg:x = 1)'] } },
      call: { ...write, input: { x: 1 } },
    },
    mode: { options: { permission: { mode: 'plan' } }, call: exec('touch a'), surface: { mode: 'default' } },
    policy: {
      options: {
        permission: { engine: { name: 'house', decide: () => ({ behavior: 'deny', policyRefs: ['p1'] }) } },
      },
      call: write,
    },
    hook: {
      options: {
        hooks: [
          defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ permission: { behavior: 'deny' } }) }),
        ],
      },
      call: write,
    },
    classifier: {
      options: {
        permission: {
          mode: 'auto',
          classifiers: [
            defineClassifier({
              id: 'c',
              canApprove: true,
              classify: () => ({ verdict: 'safe', confidence: 0.95, reason: 'only a build' }),
            }),
          ],
        },
      },
      call: exec('make all'),
    },
    working_dir: {
      options: { permission: { workingDirectories: ['/work/here'] } },
      call: { name: 'files.read', input: { path: '/etc/hosts' } },
    },
    sandbox_override: {
      options: { permission: { mode: 'bypass', allow: ['shell.exec'] } },
      call: exec('ls', { unsandboxed: true }),
    },
    safety_check: { options: {}, call: { name: 'notes.sum' } },
    permission_prompt_tool: { options: { approver: yes }, call: write },
    async_agent: { options: {}, call: write, surface: { depth: 1 } },
    subcommand_results: {
      options: { permission: { allow: ['shell.exec(npm test)', 'shell.exec(git push:*)'] } },
      call: exec('npm test && git push origin main'),
    },
    other: {
      options: {
        decider: () => {
          throw new Error('it broke')
        },
      },
      call: write,
    },
  }

  it.each(reasonTypes)('%s', async (type) => {
    const { decisions } = await decisionsOf(cases[type])
    expect(decisions.map(({ reason }) => reason!.type)).toContain(type)
    for (const decision of decisions) {
      expect(decision).toMatchObject({ mode: expect.any(String), source: expect.any(String) })
      expect(decision.reason!.message).toMatch(/^[A-Z]/)
    }
  })

  it('a blocked path is named, and so are updates that would allow the call', async () => {
    const asked = { ...cases.working_dir, options: { ...cases.working_dir.options, approver: yes } }
    const [ask, allow] = (await decisionsOf(asked)).decisions
    expect(ask).toMatchObject({ behavior: 'ask', blocked_path: '/etc/hosts' })
    expect(ask!.suggested_updates!.map(({ type }) => type)).toContain('add_directories')
    expect(allow).toMatchObject({
      behavior: 'allow',
      expires_at: expect.any(String),
      toolcrib: { by: 'ann' },
    })
  })

  it("a deny carries the reviewer's words for the model", async () => {
    const approver = () => ({ approved: false, feedback: 'use the copy', by: 'ann' }) as const
    const { last } = await decisionsOf({ options: { approver }, call: write })
    expect(last).toMatchObject({ behavior: 'deny', content_blocks: [{ type: 'text', text: 'use the copy' }] })
  })

  it('every ref in it can be resolved', async () => {
    const { last, crib } = await decisionsOf(cases.rule)
    const refs = [...last.rule_refs!, ...last.policy_refs!]
    expect(refs).toHaveLength(2)
    for (const ref of refs) expect(await crib.resolveRef(ref)).toBeDefined()
  })
})

describe('[AT-PERM-06] what a classifier says', () => {
  const classifier = (confidence: number) =>
    defineClassifier({
      id: 'c',
      canApprove: true,
      classify: () => ({ verdict: 'safe', confidence, reason: 'only a build' }),
    })
  const auto = (confidence: number): Asked => ({
    options: { permission: { mode: 'auto', classifiers: [classifier(confidence)] } },
    call: exec('make all'),
  })

  it('is in the record: first as pending, then with its answer', async () => {
    const { decisions, result } = await decisionsOf(auto(0.95))
    expect(decisions).toMatchObject([
      {
        behavior: 'passthrough',
        pending_classifier_check: { classifier_ref: versionOf('classifier:c'), can: ['approve'] },
      },
      {
        behavior: 'allow',
        classifier_ref: versionOf('classifier:c'),
        confidence: 0.95,
        classifier_reason: 'only a build',
      },
    ])
    expect(result.status).toBe('succeeded')
  })

  it('below its threshold fills nothing', async () => {
    expect((await decisionsOf(auto(0.5))).result.status).toBe('rejected')
  })

  it.each([
    ['a deny', { deny: ['shell.exec(make:*)'] }, 'denied'],
    ['an ask of a rule', { ask: ['shell.exec(make:*)'] }, 'rejected'],
  ])('never lifts %s', async (_what, rules, status) => {
    const { options, call } = auto(0.99)
    const permission = { ...options.permission, ...rules }
    expect((await decisionsOf({ options: { permission }, call })).result.status).toBe(status)
  })
})

describe('what a classifier is shown of a call', () => {
  const shownOf = async (more: object, given: object): Promise<string[]> => {
    const texts: string[] = []
    const properties = Object.fromEntries(Object.keys(given).map((name) => [name, {}]))
    const go = defineTool({
      name: 'go',
      description: 'Goes.',
      input: input(properties),
      execute: () => 1,
      ...more,
    })
    const classify = ({ text: shown }: { text: string }) => {
      texts.push(shown)
      return { verdict: 'safe', confidence: 1 } as const
    }
    const classifiers = [defineClassifier({ id: 'c', canApprove: true, classify })]
    const options = { tools: [go], permission: { mode: 'auto' as const, classifiers } }
    await decisionsOf({ options, call: { name: go.name, input: given } })
    return texts
  }

  it.each<[string, object, object, string]>([
    ['its declared command', { command: 'line' }, { line: 'make all', note: 'n' }, 'make all'],
    ['its command by name', {}, { command: 'make all', note: 'n' }, 'make all'],
    ['its URL', {}, { url: 'https://example.com/a', body: 'x' }, 'https://example.com/a'],
    ['its paths', {}, { filePath: '/a', target_dir: '/b' }, 'filePath: /a\ntarget_dir: /b'],
    [
      'what a tool for files moves',
      { name: 'move_file' },
      { source: '/a', destination: '/b' },
      'source: /a\ndestination: /b',
    ],
    ['not what another tool is about', {}, { source: 'a', to: 'b' }, ''],
    ['a list of words', {}, { args: ['rm', '-r'] }, '["rm","-r"]'],
    ['what the tool itself shows', { classifierInput: () => 'own' }, { command: 'make' }, 'own'],
    ['nothing, where nothing tells', {}, { note: 'n' }, ''],
  ])('is %s', async (_what, more, given, shown) => {
    expect(await shownOf(more, given)).toEqual([shown])
  })

  it('is without secrets', async () => {
    const [shown] = await shownOf({ sensitiveFields: ['url'] }, { url: 'https://s3cr3t-place.example' })
    expect(shown).not.toContain('s3cr3t')
  })
})

describe('[AT-PERM-05] a rule keeps its source', () => {
  it.each(ruleSources)('%s', async (source) => {
    const layer = (deny: string[]) => ({
      source,
      path: undefined,
      base: '/work/here',
      isTrusted: true,
      set: ruleSetOf({ deny }, { source, path: undefined, base: '/work/here' }),
      problems: [],
      untrusted: [],
    })
    const { last } = await decisionsOf({
      options: { permission: { layers: [layer(['notes.write(arg:x = 1)'])], allow: ['notes.write'] } },
      call: { ...write, input: { x: 1 } },
    })
    expect(last).toMatchObject({ behavior: 'deny', source, rule_refs: [expect.stringContaining(source)] })
  })
})

describe('[AT-SURF-03] a tool that is denied for every call', () => {
  it('is not offered, has its reason, and cannot be called', async () => {
    const { crib, result } = await decisionsOf({
      options: { permission: { deny: ['notes.write'] } },
      call: write,
    })
    const surface = await crib.surface({ scope: 'session' })
    expect(surface.record.blocked_tools).toMatchObject([{ tool_id: 'notes.write', reason: 'policy_blocked' }])
    expect(surface.tools().map(({ toolId }) => toolId)).not.toContain('notes.write')
    expect(result).toMatchObject({ is_error: true, error: { error_class: 'blocked_tool' } })
  })

  it.each<[string, object, string]>([
    ['by its name', { deny: ['notes.write'] }, 'rule:flag_settings:deny:notes.write'],
    ['by a pattern', { deny: ['notes.*'] }, 'rule:flag_settings:deny:notes.*'],
    [
      'for such a caller',
      { deny: [{ rule: '*', when: { role: 'guest' } }] },
      'rule:flag_settings:deny:* when {"role":["guest"]}',
    ],
    ['by a rule that cannot be read', { deny: ['notes.write('] }, 'rule:flag_settings:deny:notes.write('],
  ])('%s, has a decision with the rule', async (_how, permission, name) => {
    const { decisions, result, crib } = await decisionsOf({
      options: { permission },
      call: write,
      surface: { role: 'guest', policyRefs: ['policy:house'] },
    })
    const [rule] = decisions[0]!.rule_refs!
    expect(rule!.replace(/@[0-9a-f]{32}$/, '@')).toBe(`${name}@`)
    expect(decisions).toMatchObject([
      {
        behavior: 'deny',
        source: 'flag_settings',
        rule_refs: [rule],
        reason: { type: 'rule', rule_ref: rule },
      },
    ])
    const refs = [`policy:${crib.policy.revision}`]
    expect(decisions[0]!.policy_refs).toEqual(refs)
    expect(result.error).toMatchObject({
      error_class: 'blocked_tool',
      policy_refs: refs,
      toolcrib: { rule_refs: [rule] },
    })
    const { invocation } = (await crib.story(result.invocation_id))!
    expect(invocation.permission_decision_refs).toEqual([decisions[0]!.decision_id])
    expect(invocation.policy_refs).toEqual(['policy:house', ...refs])
    expect(await crib.resolveRef(rule!)).toMatchObject({ ref: name })
  })
})

describe('the policy refs of a call', () => {
  it('are those of its surface and of every decision', async () => {
    const engine = { name: 'house', decide: () => ({ behavior: 'ask' as const, policyRefs: ['p1'] }) }
    const { crib, result, decisions } = await decisionsOf({
      options: { permission: { engine, deny: ['notes.sum'] }, approver: yes },
      call: write,
      surface: { policyRefs: ['policy:tenant', 'policy:tenant'] },
    })
    expect(result.status).toBe('succeeded')
    expect(decisions.map(({ behavior }) => behavior)).toEqual(['passthrough', 'ask', 'allow'])
    const { invocation } = (await crib.story(result.invocation_id))!
    expect(invocation.policy_refs).toEqual([
      'policy:tenant',
      `policy:${crib.policy.revision}`,
      engineVersion('house'),
      engineVersion('house', 'p1'),
    ])
  })

  it('are those of its surface where nothing was decided', async () => {
    const { crib, result } = await decisionsOf({
      options: {},
      call: { name: 'notes.gone' },
      surface: { policyRefs: ['policy:tenant'] },
    })
    expect((await crib.story(result.invocation_id))!.invocation.policy_refs).toEqual(['policy:tenant'])
  })
})

describe('a surface that requires approval of a tool', () => {
  const hook = defineHook({
    id: 'yes',
    event: 'pre_tool_use',
    run: () => ({ permission: { behavior: 'allow' } }),
  })
  const lifting: [string, Partial<CribOptions>][] = [
    ['a rule that names it', { permission: { allow: ['notes.sum'] } }],
    ['the mode bypass', { permission: { mode: 'bypass' } }],
    ['its own word that it only reads', { permission: {} }],
    ['a decider that is alone', { decider: () => ({ behavior: 'allow' }) }],
    ['a decider beside rules', { decider: () => ({ behavior: 'allow' }), permission: { allow: ['*'] } }],
    ['an engine', { permission: { engine: { name: 'e', decide: () => ({ behavior: 'allow' }) } } }],
    ['a hook', { hooks: [hook], permission: {} }],
    ['a hook with authority', { hooks: [{ ...hook, isAuthoritative: true }], permission: {} }],
  ]

  it.each(lifting)('%s does not lift it', async (_what, options) => {
    const call = { name: 'notes.sum' }
    const surface = { approvalRequired: ['notes.s*'] }
    const asked = await decisionsOf({ options, call, surface })
    expect(asked.result.status).toBe('rejected')
    const decision = asked.decisions.find(({ behavior }) => behavior === 'ask')!
    expect(decision.reason).toMatchObject({
      type: 'policy',
      message: 'This surface requires approval of every call of the tool, and no rule lifts that.',
    })
    expect(decision.suggested_updates).toBeUndefined()
    const approved = await decisionsOf({ options: { ...options, approver: yes }, call, surface })
    expect(approved.result.status).toBe('succeeded')
    const explained = asked.crib.explain({ tool: 'notes.sum', ...surface })
    expect(explained).toMatchObject({ behavior: 'ask', reason: decision.reason, suggested_updates: [] })
    const free = await decisionsOf({ options, call, surface: { approvalRequired: ['notes.write'] } })
    expect(free.result.status).toBe('succeeded')
  })

  it('a deny stays a deny, and in the mode dontAsk the call is denied', async () => {
    const call = { ...write, input: { x: 1 } }
    const surface = { approvalRequired: ['notes.write'] }
    const deny = { permission: { deny: ['notes.write(arg:x = 1)'] } }
    expect((await decisionsOf({ options: deny, call, surface })).result.status).toBe('denied')
    const silent = { permission: { mode: 'dontAsk' as const, allow: ['notes.write'] } }
    expect((await decisionsOf({ options: silent, call, surface })).result.status).toBe('denied')
  })
})

describe('a tool that requires approval', () => {
  const facts = [true, () => true] as const

  it.each(facts)('needs approval although it declares itself read-only: %s', async (isReadOnly) => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      isReadOnly,
      isOpenWorld: false,
      permission: { approval_required: true },
      execute: () => 'done',
    })
    for (const allow of [[], ['*'], ['local.*']]) {
      const { last, result } = await decisionsOf({
        options: { tools: [look], permission: { allow } },
        call: { name: 'look' },
      })
      expect(result.status).toBe('rejected')
      expect(last.behavior).toBe('deny')
    }
    const { result } = await decisionsOf({
      options: { tools: [look], permission: { allow: ['local.look'] } },
      call: { name: 'look' },
    })
    expect(result.status).toBe('succeeded')
  })
})
