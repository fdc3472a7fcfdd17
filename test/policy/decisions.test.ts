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
import { reasonTypes, ruleSources } from '../../src/foundation/contract/unions.js'
import { ruleSetOf } from '../../src/runtime/load-rules.js'
import { versionOf } from '../records/version-of.js'

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

  it('a path that is in the way is named, and so is what would let the call through', async () => {
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

  it('a no carries the words of whoever said it, for the model', async () => {
    const approver = () => ({ approved: false, feedback: 'use the copy', by: 'ann' }) as const
    const { last } = await decisionsOf({ options: { approver }, call: write })
    expect(last).toMatchObject({ behavior: 'deny', content_blocks: [{ type: 'text', text: 'use the copy' }] })
  })

  it('every ref in it stands for something', async () => {
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

  it('is in the record: first what is pending, then what it said', async () => {
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

  it('below its threshold it fills nothing', async () => {
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

describe('[AT-SURF-03] what is denied altogether', () => {
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
})
