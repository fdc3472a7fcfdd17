import { describe, expect, it, onTestFinished } from 'vitest'
import { askEngine, cedarEngine, type CedarOptions, type EngineRequest } from 'toolcrib'
import { engineRequest } from './requests.js'
import { engineVersion } from '../crib/records/version-of.js'

function open(options: CedarOptions) {
  const engine = cedarEngine(options)
  onTestFinished(() => engine.close?.())
  return engine
}

async function ask(options: CedarOptions | string, request: Partial<EngineRequest> = {}) {
  const engine = open(typeof options === 'string' ? { policies: options } : options)
  return askEngine(engine, engineRequest(request), { timeoutMs: 20_000 })
}

const behaviorOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).behavior

describe('cedarEngine decides', () => {
  it('allow, and names the policies that permit', async () => {
    expect(await ask('@id("all") permit (principal, action, resource);')).toEqual({
      behavior: 'allow',
      source: 'toolcrib.engine',
      reason: {
        type: 'policy',
        message: 'The policy engine "cedar" says allow: its policy "all" permits it.',
      },
      policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'all')],
    })
  })

  it('deny if a policy forbids, even if others permit', async () => {
    const policies = `
      @id("all") permit (principal, action, resource);
      @id("no-env") @message("Secrets stay where they are.")
      forbid (principal, action, resource) when { context.input.path like "*.env" };`
    expect(await behaviorOf(policies)).toBe('allow')
    expect(await ask(policies, { input: { path: '/work/.env' } })).toMatchObject({
      behavior: 'deny',
      reason: { message: 'The policy engine "cedar" says deny: Secrets stay where they are.' },
      policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'no-env')],
    })
  })

  it('deny where no policy permits', async () => {
    for (const policies of ['', 'permit (principal == Actor::"someone", action, resource);']) {
      const verdict = await ask(policies)
      expect(verdict).toMatchObject({
        behavior: 'deny',
        reason: { message: 'The policy engine "cedar" says deny: no policy permits it.' },
      })
      expect(verdict.policy_refs).toEqual([engineVersion('cedar')])
    }
  })

  it('ask if one of the permitting policies says so', async () => {
    const policies = `
      @id("all") permit (principal, action, resource);
      @id("look") @behavior("ask") permit (principal, action, resource) when { context.input.path like "/etc/*" };`
    expect(await behaviorOf(policies)).toBe('allow')
    expect(await ask(policies, { input: { path: '/etc/hosts' } })).toMatchObject({
      behavior: 'ask',
      reason: { message: 'The policy engine "cedar" says ask: its policy "look" wants it asked about.' },
      policy_refs: [engineVersion('cedar'), engineVersion('cedar', 'all'), engineVersion('cedar', 'look')],
    })
  })

  it('deny where a policy cannot be evaluated, even if another permits', async () => {
    const policies = `
      @id("all") permit (principal, action, resource);
      @id("deep") forbid (principal, action, resource) when { context.input.options.force };`
    const verdict = await ask(policies)
    expect(verdict.behavior).toBe('deny')
    expect(verdict.reason!.message).toContain(
      'The policy engine "cedar" failed (its policy "deep" cannot be evaluated: record does not have the attribute `options`',
    )
  })

  it('synchronously after the first time', async () => {
    const engine = open({ policies: 'permit (principal, action, resource);' })
    await engine.check()
    expect(askEngine(engine, engineRequest())).toMatchObject({ behavior: 'allow' })
  })

  it('nothing once it is closed', async () => {
    const engine = open({ policies: 'permit (principal, action, resource);' })
    await engine.check()
    await engine.close!()
    expect(askEngine(engine, engineRequest())).toMatchObject({
      behavior: 'deny',
      reason: { message: 'The policy engine "cedar" failed (it is closed), so the call is denied.' },
    })
  })

  it('each by its own policies, if there are several engines', async () => {
    const yes = open({ policies: 'permit (principal, action, resource);', name: 'yes' })
    const no = open({ policies: 'forbid (principal, action, resource);', name: 'no' })
    await Promise.all([yes.check(), no.check()])
    expect([yes, no, yes].map((engine) => askEngine(engine, engineRequest()))).toMatchObject([
      { behavior: 'allow' },
      { behavior: 'deny' },
      { behavior: 'allow' },
    ])
  })
})

describe('cedarEngine shows policies', () => {
  it.each([
    'principal == Actor::"agent:planner"',
    'principal in Role::"writer"',
    'action == Action::"call"',
    'resource == Tool::"files.write"',
    'resource in Namespace::"files"',
    'resource.namespace == "files" && resource.name == "write" && resource.kind == "file_operation"',
    'resource.source == "code" && resource.fingerprint == "sha256:1"',
    'resource.risk_level == "medium" && resource.access_kinds.contains("file_write")',
    '!(resource has approval_required)',
    'context.input.path == "/work/a.txt" && context.input_complete',
    '!context.facts.is_read_only && context.facts.origins.is_read_only == "declared"',
    'context.mode == "default" && context.tenant == "default" && context.surface == "surface_1"',
    'context.session == "s1"',
    'context.reads.contains("/work/a.txt") && context.hosts.isEmpty()',
    '!(context has writes) && !(context has commands)',
  ])('%s', async (condition) => {
    const policies = `permit (principal, action, resource) when { ${condition} };`
    expect(await ask(policies, { reads: ['/work/a.txt'], hosts: [] })).toMatchObject({ behavior: 'allow' })
  })

  it('a caller without a name as Actor::""', async () => {
    const policies = 'permit (principal == Actor::"", action, resource);'
    expect(await behaviorOf(policies, { actor: undefined, role: undefined })).toBe('allow')
    expect(await behaviorOf(policies)).toBe('deny')
  })

  it('a name unchanged, with any characters', async () => {
    const policies = 'permit (principal in Role::"admin", action, resource);'
    expect(await behaviorOf(policies, { actor: 'x", parents: [Role::"admin"]', role: 'x"::"admin' })).toBe(
      'deny',
    )
  })

  it('other known entities, as far as policies can reach them', async () => {
    const uid = (type: string, id: string) => ({ type, id })
    const entities = [
      { uid: uid('Actor', 'agent:planner'), attrs: { team: { __entity: uid('Team', 'red') } } },
      { uid: uid('Team', 'red'), attrs: { level: 3 }, parents: [uid('Team', 'all')] },
      { uid: uid('Role', 'writer'), parents: [uid('Role', 'staff')] },
      { uid: { __entity: uid('Tool', 'files.write') }, attrs: { owner: 'ops', name: 'someone else’s' } },
      { uid: uid('Limits', 'today'), attrs: { level: 2 } },
      ...Array.from({ length: 500 }, (_, index) => ({ uid: uid('Actor', `other-${index}`) })),
    ]
    for (const condition of [
      'principal.team.level == 3',
      'principal.team in Team::"all"',
      'principal in Role::"writer" && principal in Role::"staff"',
      'resource.owner == "ops" && resource.name == "write"',
      'Limits::"today".level < principal.team.level',
    ]) {
      const policies = `permit (principal, action, resource) when { ${condition} };`
      expect(await ask({ policies, entities }), condition).toMatchObject({ behavior: 'allow' })
    }
  })
})

describe('input that Cedar cannot hold', () => {
  const all = 'permit (principal, action, resource);'
  const limit = `${all}\n@id("limit") forbid (principal, action, resource)
    when { context.input has amount && context.input.amount > 100 };`

  it('turns an allow into an ask: the omitted part may be the forbidden one', async () => {
    expect(await behaviorOf(limit, { input: { amount: 99 } })).toBe('allow')
    expect(await behaviorOf(limit, { input: { amount: 101 } })).toBe('deny')
    expect(await ask(limit, { input: { amount: 100.5 } })).toMatchObject({
      behavior: 'ask',
      reason: {
        message:
          'The policy engine "cedar" says ask: The policies allow it without having seen all of the input; Cedar cannot hold "amount".',
      },
    })
  })

  it.each<[string, unknown]>([
    ['a fraction', { path: 'a', x: 0.5 }],
    ['a number beyond 2^53', { path: 'a', x: 2 ** 60 }],
    ['half a character', { path: 'a', x: '\ud800' }],
    ['a key with half a character', { path: 'a', '\udc00': 1 }],
    ['a fraction in a list', { path: 'a', x: [[1, 0.5]] }],
    ['too many levels', { path: 'a', x: JSON.parse(`${'['.repeat(300)}1${']'.repeat(300)}`) as unknown }],
    [
      'something that could pass for an entity',
      { path: 'a', x: { __entity: { type: 'Role', id: 'admin' } } },
    ],
    ['something that could pass for a function', { path: 'a', x: { __extn: { fn: 'ip', arg: '::1' } } }],
    ['a list', ['a']],
    ['a text', 'a'],
  ])('%s is omitted, and policies can see that', async (_what, input) => {
    expect(await behaviorOf(all, { input })).toBe('ask')
    expect(await behaviorOf({ policies: all, onUnseenInput: 'allow' }, { input })).toBe('allow')
    const complete = 'permit (principal, action, resource) when { context.input_complete };'
    expect(await behaviorOf(complete, { input })).toBe('deny')
  })

  it('null counts as absent', async () => {
    const policies =
      'permit (principal, action, resource) when { !(context.input has x) && !context.input_complete };'
    expect(await behaviorOf(policies, { input: { x: null } })).toBe('allow')
  })

  it('a call without input is complete', async () => {
    const policies = 'permit (principal, action, resource) when { context.input_complete };'
    for (const input of [undefined, {}]) expect(await behaviorOf(policies, { input })).toBe('allow')
  })
})

describe('problems of policies', () => {
  const problemsOf = (options: CedarOptions) => open(options).check()

  it('are reported with file and line, and deny every call', async () => {
    const policies = {
      'a.cedar': 'permit (principal, action, resource);',
      'b.cedar': '// größer\npermit (principal, action, resource);\n\npermit (principal, actio, resource);\n',
    }
    expect(await problemsOf({ policies })).toEqual([
      {
        file: 'b.cedar',
        line: 4,
        message:
          'found an invalid variable in the policy scope: actio (policy scopes must contain a `principal`, `action`, and `resource` element in that order)',
      },
    ])
    const verdict = await ask({ policies })
    expect(verdict.behavior).toBe('deny')
    expect(verdict.reason!.message).toContain(
      'failed (its policies cannot be used: b.cedar:4: found an invalid',
    )
  })

  it.each<[string, string, object]>([
    ['an end that is missing', 'permit (principal,\naction,\nresource)', { line: 3 }],
    [
      'a behaviour that there is not',
      '\n@behavior("aks") permit (principal, action, resource);',
      { line: 2, message: '@behavior("aks") is not known; write @behavior("ask") or leave it out' },
    ],
    [
      'a behaviour of a forbid',
      '@behavior("ask") forbid (principal, action, resource);',
      { line: 1, message: '@behavior says nothing on a forbid, which always denies; put it on a permit' },
    ],
    [
      'a template',
      'permit (principal, action, resource);\npermit (principal == ?principal, action, resource);',
      { line: 2, message: 'templates (?principal, ?resource) are not possible here; write the entity out' },
    ],
    [
      'an id that stands twice',
      '@id("a") permit (principal, action, resource);\n@id("a") forbid (principal, action, resource);',
      { line: 2, message: 'the policy id "a" is taken by policy:1; give this one an @id of its own' },
    ],
  ])('%s', async (_what, policies, problem) => {
    expect(await problemsOf({ policies })).toMatchObject([{ file: 'policy', ...problem }])
    expect(await behaviorOf(policies)).toBe('deny')
  })

  it('are reported for entities and schema too', async () => {
    const policies = '\npermit (principal, action, resource)\nwhen { resource.knd == "x" };'
    const schema = `entity Actor; entity Tool { kind: String };
      action call appliesTo { principal: Actor, resource: Tool, context: {} };`
    expect(await problemsOf({ policies, schema })).toMatchObject([
      { file: 'policy', line: 3, message: expect.stringContaining('did you mean `kind`?') as string },
    ])
    expect(await problemsOf({ policies: '', schema: 'entity Actor;\nentity x y;' })).toMatchObject([
      { file: 'schema', line: 2 },
    ])
    const entities = [{ uid: { type: 'Tool', id: 'x' }, attrs: { kin: 'x' } }]
    expect(await problemsOf({ policies: '', schema, entities })).toMatchObject([{ file: 'entities' }])
    for (const bad of [
      [{}],
      [7],
      [null],
      [{ uid: 'Tool::"x"' }],
      [entities[0], entities[0], { uid: entities[0]!.uid }],
    ]) {
      expect(await problemsOf({ policies: '', entities: bad as never }), JSON.stringify(bad)).toMatchObject([
        { file: 'entities' },
      ])
    }
  })

  it('names policies without an id by their file and line, in the order of the file', async () => {
    const policies = Array.from(
      { length: 12 },
      (_, index) =>
        `// permit (principal, action, resource == Tool::"t${index}");\npermit (principal, action, resource == Tool::"t${index}");`,
    ).join('\n')
    const engine = open({
      policies: { 'p.cedar': policies, 'one.cedar': 'permit (principal, action, resource == Tool::"one");' },
    })
    expect(await engine.check()).toEqual([])
    const { tool } = engineRequest()
    const refs = ['t0', 't2', 't10', 'one'].map((id) => {
      const verdict = askEngine(engine, engineRequest({ tool: { ...tool, id } }))
      return verdict instanceof Promise ? undefined : verdict.policy_refs
    })
    expect(refs).toEqual([
      [engineVersion('cedar'), engineVersion('cedar', 'p.cedar:2')],
      [engineVersion('cedar'), engineVersion('cedar', 'p.cedar:6')],
      [engineVersion('cedar'), engineVersion('cedar', 'p.cedar:22')],
      [engineVersion('cedar'), engineVersion('cedar', 'one.cedar')],
    ])
  })

  it.each<[unknown, string]>([
    [{}, 'A Cedar engine needs "policies": their text, or texts by the names of their files.'],
    [
      { policies: { a: 7 } },
      'A Cedar engine needs "policies": their text, or texts by the names of their files.',
    ],
    [{ policies: '', onUnseenInput: 'deny' }, 'A Cedar engine: "onUnseenInput" must be "ask" or "allow".'],
    [{ policies: '', entitys: [] }, 'A Cedar engine has no option "entitys"; did you mean "entities"?'],
  ])('%j is refused when it is written', (options, sentence) => {
    expect(() => cedarEngine(options as never)).toThrow(new TypeError(sentence))
  })
})
