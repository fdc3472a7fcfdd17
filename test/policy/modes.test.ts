import { describe, expect, it } from 'vitest'
import { isLooser, parseMode, permissionModes, stricterMode } from '../../src/policy/permission-mode.js'
import {
  behaviorOf,
  callOf,
  HOME,
  judged,
  part,
  pathOf,
  policyWith,
  READS,
  running,
  rulesOf,
  shellTool,
  toolOf,
  touching,
  UNSAID,
  WORK,
  WRITES,
  writeTool,
  writing,
} from './rule-fixtures.js'

const add = toolOf('math.add')
const inEach = (call: Parameters<typeof behaviorOf>[1], lists = {}, options = {}): Record<string, string> =>
  Object.fromEntries(permissionModes.map((mode) => [mode, behaviorOf(lists, { ...call, mode }, options)]))

describe('modes', () => {
  it('decide about calls that no rule is about', () => {
    expect(inEach(callOf(add))).toEqual({
      default: 'ask',
      acceptEdits: 'ask',
      plan: 'deny',
      dontAsk: 'deny',
      auto: 'passthrough',
      bypass: 'allow',
    })
    expect(inEach(callOf(add, { facts: UNSAID }))).toEqual(inEach(callOf(add)))
    expect(new Set(Object.values(inEach(callOf(add, { facts: READS }))))).toEqual(new Set(['allow']))
  })

  it('an allow rule applies in all of them except plan, where only read-only calls run', () => {
    const outcome = inEach(callOf(add), { allow: ['math.add'] })
    expect(outcome).toMatchObject({ plan: 'deny', dontAsk: 'allow', default: 'allow', bypass: 'allow' })
    expect(behaviorOf({ allow: ['math.add'] }, callOf(add, { facts: READS, mode: 'plan' }))).toBe('allow')
  })

  it.each<[string, Parameters<typeof behaviorOf>[1], object, string]>([
    ['a deny rule', callOf(add, { facts: READS }), { deny: ['math.add'] }, 'deny'],
    ['an ask rule', callOf(add, { facts: READS }), { ask: ['math.add'], allow: ['math.add'] }, 'ask'],
    [
      'a tool that needs a person',
      callOf(add, { facts: { ...READS, requires_user_interaction: true } }),
      { allow: ['math.add'] },
      'ask',
    ],
    [
      'a profile that requires approval',
      callOf(toolOf('pay', { profile: { approval_required: true } }), { facts: READS }),
      {},
      'ask',
    ],
    [
      'a folder with keys',
      callOf(toolOf('x.look'), {
        facts: READS,
        touched: touching({ paths: [pathOf('read', `${HOME}/.ssh/id`)] }),
      }),
      { allow: ['x.look'] },
      'ask',
    ],
  ])('%s applies in every one of them', (_, call, lists, behavior) => {
    const expected = (mode: string): string => (mode === 'dontAsk' ? 'deny' : behavior)
    expect(inEach(call, lists)).toEqual(
      Object.fromEntries(permissionModes.map((mode) => [mode, expected(mode)])),
    )
  })

  it("Toolcrib's own settings are denied in every mode, whatever is allowed", () => {
    const call = callOf(writeTool, { touched: writing(`${WORK}/toolcrib.yaml`) })
    expect(new Set(Object.values(inEach(call, { allow: ['*'] })))).toEqual(new Set(['deny']))
  })

  it('dontAsk gives its reason, and its deny is final', () => {
    const judgement = judged({}, callOf(add, { mode: 'dontAsk' }))
    expect(judgement.reason).toEqual({ type: 'mode', message: expect.stringContaining('nobody is asked') })
    const policy = policyWith(rulesOf({ ask: ['math.*'] }), { mode: 'dontAsk' })
    const request = { ...callOf(toolOf('x.y'), { mode: 'dontAsk' }) } as Parameters<typeof policy.decide>[0]
    // An engine or a hook could otherwise turn it into an allow.
    expect(policy.decide(request)).toMatchObject({ behavior: 'deny', isDefault: false })
    expect(policy.decide({ ...request, mode: 'default' })).toMatchObject({ behavior: 'ask', isDefault: true })
  })
})

describe('acceptEdits', () => {
  const edits = (path: string, more: object = {}) =>
    behaviorOf({}, callOf(writeTool, { mode: 'acceptEdits', touched: writing(path, more) }))

  it('accepts edits of files in the workspace', () => {
    expect(edits(`${WORK}/src/a.ts`)).toBe('allow')
    expect(edits('/etc/x')).toBe('ask')
    expect(edits(`${WORK}2/a`)).toBe('ask')
    expect(edits(`${WORK}/link`, { real: '/etc/x' })).toBe('ask')
    expect(edits(`${WORK}/.git/config`)).toBe('ask')
  })

  it('accepts edits in the working folders, if there are any', () => {
    const call = callOf(writeTool, { mode: 'acceptEdits', touched: writing('/data/a') })
    expect(behaviorOf({}, call, { workingDirectories: ['/data'] })).toBe('allow')
    const outside = { ...call, touched: writing(`${WORK}/a`) }
    expect(behaviorOf({}, outside, { workingDirectories: ['/data'] })).toBe('ask')
  })

  it('accepts no more than that', () => {
    const call = callOf(writeTool, { mode: 'acceptEdits', touched: writing(`${WORK}/a`) })
    expect(behaviorOf({}, { ...call, facts: { ...WRITES, is_destructive: true } })).toBe('ask')
    expect(behaviorOf({}, { ...call, tool: toolOf('x.y', { fields: writeTool.fields }) })).toBe('ask')
    expect(
      behaviorOf({}, { ...call, touched: touching({ paths: writing(`${WORK}/a`).paths, hosts: ['x.org'] }) }),
    ).toBe('ask')
    expect(behaviorOf({}, { ...call, touched: undefined })).toBe('ask')
  })

  it('accepts a command only if everything that it does is known to be an edit', () => {
    const run = (more: object) =>
      behaviorOf(
        {},
        callOf(shellTool, {
          mode: 'acceptEdits',
          touched: running({ commands: [part('mkdir a')], paths: [pathOf('write', `${WORK}/a`)], ...more }),
        }),
      )
    expect(run({})).toBe('allow')
    expect(run({ reading: { isComplete: false } })).toBe('ask')
    expect(run({ reading: { executes: ['/x'] } })).toBe('ask')
    expect(run({ reading: { is_open_world: true } })).toBe('ask')
    expect(run({ paths: [] })).toBe('ask')
    expect(run({ paths: [pathOf('write', `${WORK}/*`, { isGlob: true })] })).toBe('ask')
  })
})

describe('working folders', () => {
  const call = callOf(toolOf('x.look'), {
    facts: READS,
    touched: touching({ paths: [pathOf('read', '/other/a')] }),
  })

  it('a path outside of them needs approval, also for a read-only tool', () => {
    const options = { workingDirectories: [WORK] }
    expect(judged({}, call, options)).toMatchObject({
      behavior: 'ask',
      madeBy: 'working_dir',
      path: '/other/a',
    })
    expect(behaviorOf({}, { ...call, mode: 'dontAsk' }, options)).toBe('deny')
    expect(behaviorOf({}, { ...call, mode: 'bypass' }, options)).toBe('allow')
    expect(behaviorOf({ allow: ['x.look'] }, call, options)).toBe('allow')
    expect(behaviorOf({}, call)).toBe('allow')
  })
})

describe('the mode of a call', () => {
  it('is the mode of the surface, unless the general mode is plan', () => {
    const policy = policyWith([], { sessionModes: new Map([['s', 'plan']]) })
    expect(policy.modeFor(undefined)).toBe('default')
    expect(policy.modeFor(undefined, 'bypass')).toBe('bypass')
    expect(policy.modeFor(undefined, 'non_interactive')).toBe('default')
    expect(policy.modeFor('s')).toBe('plan')
    expect(policy.modeFor('s', 'bypass')).toBe('plan')
  })

  it("is never looser than the administrator's limit", () => {
    const policy = policyWith([], {
      modeLimit: 'acceptEdits',
      sessionModes: new Map([
        ['*', 'bypass'],
        ['s', 'dontAsk'],
      ]),
    })
    expect(policy.modeFor(undefined)).toBe('acceptEdits')
    expect(policy.modeFor(undefined, 'auto')).toBe('acceptEdits')
    expect(policy.modeFor('s')).toBe('dontAsk')
    expect(policy.modeFor('s', 'bypass')).toBe('acceptEdits')
  })

  it("modes are ordered, and other agents' names for them are accepted", () => {
    expect(parseMode('bypassPermissions')).toBe('bypass')
    expect(parseMode('manual')).toBe('default')
    expect(parseMode('toString')).toBeUndefined()
    expect(isLooser('bypass', 'plan')).toBe(true)
    expect(stricterMode('auto', 'default')).toBe('default')
    expect(stricterMode('plan', undefined)).toBe('plan')
  })
})
