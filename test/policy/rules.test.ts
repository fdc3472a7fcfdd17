import { describe, expect, it } from 'vitest'
import { defineTool, type ToolDraft } from 'toolcrib'
import { ruleSources } from '../../src/contract/unions.js'
import { judge } from '../../src/policy/judge.js'
import { createCatalog } from '../../src/catalog/catalog.js'
import { providerName } from '../../src/catalog/provider-name.js'
import { toRuleTool } from '../../src/catalog/records/to-rule-tool.js'
import type { RuleTool } from '../../src/policy/rules/rule-tool.js'
import {
  behaviorOf,
  bookOf,
  callOf,
  fetchTool,
  judged,
  part,
  READS,
  readTool,
  reading,
  rulesOf,
  running,
  shellTool,
  toolOf,
  touching,
  UNSAID,
  WORK,
  writeTool,
  writing,
} from './rule-fixtures.js'

const add = toolOf('math.add')

describe('rules of all sources', () => {
  const places = {
    user_settings: "the user's rules",
    project_settings: 'the project config',
    local_settings: 'toolcrib.local.yaml',
    flag_settings: 'the rules given at the start',
    policy_settings: 'the administrator',
    cli_arg: 'the command line',
    command: 'a command',
    session: 'this session',
  }

  it.each(ruleSources)('count, and each is reported with its source: %s', (source) => {
    const rules = rulesOf({ deny: ['math.add'] }, source)
    const judgement = judge(bookOf(rules), callOf(add, { facts: READS }))
    expect(judgement).toMatchObject({
      behavior: 'deny',
      madeBy: 'rule',
      rule: { source, text: 'math.add', ref: `rule:${source}:deny:math.add` },
      reason: { type: 'rule', message: `The rule deny math.add of ${places[source]} applies.` },
    })
  })

  it('the strictest wins, independent of source and precision', () => {
    const behaviors = ['deny', 'ask', 'allow'] as const
    const exactness = ['math.add', 'math.*', '*']
    for (const first of ruleSources) {
      for (const second of ruleSources) {
        for (const [index, name] of exactness.entries()) {
          const other = exactness[(index + 1) % 3]!
          const outcome = (a: (typeof behaviors)[number], b: (typeof behaviors)[number]): string => {
            const rules = [...rulesOf({ [a]: [name] }, first), ...rulesOf({ [b]: [other] }, second)]
            return judge(bookOf(rules), callOf(add)).behavior
          }
          expect(outcome('deny', 'allow')).toBe('deny')
          expect(outcome('allow', 'deny')).toBe('deny')
          expect(outcome('allow', 'ask')).toBe('ask')
          expect(outcome('ask', 'deny')).toBe('deny')
          expect(outcome('allow', 'allow')).toBe('allow')
        }
      }
    }
  })

  it('a rule with a reason gives it', () => {
    const rules = { deny: [{ rule: 'math.add', reason: 'Sums are made by people.' }] }
    expect(judged(rules, callOf(add)).reason.message).toContain('says: Sums are made by people.')
  })

  it('a call that no rule is about needs approval, unless the tool only reads', () => {
    expect(behaviorOf({}, callOf(add))).toBe('ask')
    expect(behaviorOf({}, callOf(add, { facts: UNSAID }))).toBe('ask')
    expect(behaviorOf({}, callOf(add, { facts: READS }))).toBe('allow')
    expect(behaviorOf({}, callOf(add, { facts: { ...READS, is_open_world: true } }))).toBe('ask')
    const guessed = { ...READS, origins: { ...READS.origins, is_read_only: 'default' } }
    expect(behaviorOf({}, callOf(add, { facts: guessed }))).toBe('ask')
  })
})

describe('a tool that declares that it requires approval', () => {
  const pay = toolOf('pay', { profile: { approval_required: true } })
  const proven = { ...READS, origins: { ...READS.origins, is_read_only: 'inferred' } }

  it('needs approval although it declares itself read-only', () => {
    expect(judged({}, callOf(pay, { facts: READS }))).toMatchObject({ behavior: 'ask', madeBy: 'profile' })
  })

  it('is approved by an allow rule, or by an input that is proven read-only', () => {
    expect(behaviorOf({ allow: ['pay'] }, callOf(pay))).toBe('allow')
    expect(behaviorOf({}, callOf(pay, { facts: proven }))).toBe('allow')
    expect(behaviorOf({ ask: ['pay'] }, callOf(pay, { facts: proven }))).toBe('ask')
  })

  it('is not approved by its own claim about the input, which is no proof', () => {
    const says = { ...pay, readsByOwnWord: true }
    expect(judged({}, callOf(says, { facts: proven }))).toMatchObject({ behavior: 'ask', madeBy: 'profile' })
    const plain = toolOf('look', { readsByOwnWord: true })
    expect(judged({}, callOf(plain, { facts: proven })).reason.message).toContain('The tool declares')
  })

  const asking = { profile: { approval_required: true } }
  const shop = toolOf('shop.pay', { ...asking, ids: ['shop.pay', 'mcp__shop__pay'] })
  const shell = toolOf('shell.exec', { ...asking, kind: 'shell_command', fields: shellTool.fields })
  const status = running({ commands: [part('git push'), part('make')] })

  it.each<[string, RuleTool, unknown[], string]>([
    ['every tool', shop, ['*'], 'ask'],
    ['every tool, under a condition', shop, [{ rule: '*', when: { role: 'clerk' } }], 'ask'],
    ['its namespace', shop, ['shop.*'], 'ask'],
    ['names that end like its own', shop, ['*.pay'], 'ask'],
    ['all tools of its server', shop, ['mcp__shop'], 'ask'],
    ['the tool', shop, ['shop.pay'], 'allow'],
    ['the tool beside every tool', shop, ['*', 'shop.pay'], 'allow'],
    ['the tool, for another caller', shop, [{ rule: 'shop.pay', when: { role: 'boss' } }, '*'], 'ask'],
    ['a kind of tool', shell, ['Bash'], 'ask'],
    ['a kind of tool, with its commands', shell, ['Bash(git push)', 'Bash(make)'], 'ask'],
    ['the tool, with its commands', shell, ['shell.exec(git push)', 'shell.exec(make)'], 'allow'],
    ['the tool for one part, its kind for the other', shell, ['shell.exec(git push)', 'Bash(make)'], 'ask'],
  ])('an allow of %s', (_what, tool, allow, behavior) => {
    const call = callOf(tool, { role: 'clerk', ...(tool === shell && { touched: status }) })
    expect(judged({ allow }, call)).toMatchObject({
      behavior,
      madeBy: behavior === 'ask' ? 'profile' : 'rule',
    })
  })

  it("is approved by a coding agent's name for it if it has that name", () => {
    const bash = toolOf('Bash', { ...asking, fields: shellTool.fields })
    expect(behaviorOf({ allow: ['Bash(git push)', 'Bash(make)'] }, callOf(bash, { touched: status }))).toBe(
      'allow',
    )
  })

  it('a proof makes the other rules apply again', () => {
    const facts = { ...proven, is_open_world: true }
    expect(behaviorOf({}, callOf(shop, { facts }))).toBe('ask')
    expect(behaviorOf({ allow: ['*'] }, callOf(shop, { facts }))).toBe('allow')
  })
})

describe('tool names of coding agents', () => {
  it('match tools of that kind, whatever their names are', () => {
    const terminal = toolOf('term.run', { fields: shellTool.fields })
    const ls = running({ commands: [part('git status')] })
    expect(behaviorOf({ allow: ['Bash(git status)'] }, callOf(terminal, { touched: ls }))).toBe('allow')
    expect(
      behaviorOf({ allow: ['Read(./src/**)'] }, callOf(readTool, { touched: reading(`${WORK}/src/a`) })),
    ).toBe('allow')
    for (const name of ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']) {
      const call = callOf(writeTool, { touched: writing(`${WORK}/src/a`) })
      expect(behaviorOf({ allow: [`${name}(./src/**)`] }, call)).toBe('allow')
    }
    const fetch = callOf(fetchTool, { touched: touching({ hosts: ['x.org'] }) })
    expect(behaviorOf({ allow: ['WebFetch(domain:x.org)'] }, fetch)).toBe('allow')
  })

  it('a reader is no writer', () => {
    expect(behaviorOf({ allow: ['Read'] }, callOf(writeTool, { touched: writing('/x') }))).toBe('ask')
    expect(behaviorOf({ deny: ['Edit'] }, callOf(readTool, { facts: READS, touched: reading('/x') }))).toBe(
      'allow',
    )
  })

  it('match in any case for a deny or ask, and exactly for an allow', () => {
    const rm = callOf(shellTool, { touched: running({ commands: [part('rm x')] }) })
    for (const name of ['Bash', 'bash', 'BASH', 'Ｂａｓｈ']) {
      expect(behaviorOf({ deny: [`${name}(rm:*)`] }, rm)).toBe('deny')
      expect(behaviorOf({ allow: [`${name}(rm:*)`] }, rm)).toBe(name === 'Bash' ? 'allow' : 'ask')
    }
  })

  it('do not match a tool that only uses the name, for an allow', () => {
    const stranger = toolOf('evil.x', {
      names: ['evil.x', 'Bash', 'http.fetch'],
      ownNames: ['evil.x', 'Bash'],
    })
    expect(behaviorOf({ allow: ['Bash'] }, callOf(stranger))).toBe('ask')
    expect(behaviorOf({ allow: ['WebFetch'] }, callOf(stranger))).toBe('ask')
    expect(behaviorOf({ deny: ['Bash'] }, callOf(stranger, { facts: READS }))).toBe('deny')
    expect(behaviorOf({ deny: ['WebFetch'] }, callOf(stranger, { facts: READS }))).toBe('deny')
  })
})

describe('rules about paths of the file tools', () => {
  const custom = toolOf('img.show', { fields: readTool.fields })
  const cat = running({
    commands: [part('cat .env', { isReadOnly: true })],
    paths: reading(`${WORK}/.env`).paths,
  })

  it.each([
    'Read(.env)',
    'files.read(.env)',
    'files.*(.env)',
    'read(.env)',
    'Grep(.env)',
    'FILES.READ(.env)',
  ])('apply to every tool that reads such a path: deny %s', (rule) => {
    for (const [tool, touched] of [
      [readTool, reading(`${WORK}/.env`)],
      [custom, reading(`${WORK}/.env`)],
      [shellTool, cat],
    ] as const) {
      for (const [list, outcome] of [
        ['deny', 'deny'],
        ['ask', 'ask'],
      ] as const) {
        const call = callOf(tool, { facts: READS, touched })
        expect(behaviorOf({ [list]: [rule], allow: ['Bash', 'img.show', 'files.read'] }, call)).toBe(outcome)
      }
    }
    expect(
      behaviorOf({ deny: [rule] }, callOf(custom, { facts: READS, touched: reading(`${WORK}/env`) })),
    ).toBe('allow')
  })

  it('writing is not reading', () => {
    const deny = ['Edit(./src/**)']
    expect(behaviorOf({ deny }, callOf(custom, { facts: READS, touched: reading(`${WORK}/src/a`) }))).toBe(
      'allow',
    )
    const tee = running({ commands: [part('tee src/a')], paths: writing(`${WORK}/src/a`).paths })
    expect(behaviorOf({ deny, allow: ['Bash'] }, callOf(shellTool, { touched: tee }))).toBe('deny')
  })

  it('test the profile of the called tool', () => {
    const deny = [{ rule: 'Read(.env)', when: { risk: 'high' } }]
    const call = (profile: Record<string, unknown>) =>
      callOf(toolOf('img.show', { fields: readTool.fields, profile }), {
        facts: READS,
        touched: reading('/x/.env'),
      })
    expect(behaviorOf({ deny }, call({ risk_level: 'high' }))).toBe('deny')
    expect(behaviorOf({ deny }, call({ risk_level: 'low' }))).toBe('allow')
    expect(behaviorOf({ deny }, call({}))).toBe('ask')
  })

  it('report the path', () => {
    expect(judged({ deny: ['Read(.env)'] }, callOf(custom, { touched: reading('/x/.env') })).path).toBe(
      '/x/.env',
    )
  })
})

describe('names of tools in the catalog', () => {
  const draft = (namespace: string, name: string, more: object = {}): ToolDraft =>
    defineTool({ namespace, name, description: `The tool ${name}.`, execute: () => name, ...more })
  const github = (server: object): ToolDraft =>
    draft('github', 'create-issue', {
      externalMappings: [{ source: 'mcp', tool_name: 'create-issue', ...server }],
    })

  function toolsOf(...drafts: readonly ToolDraft[]): RuleTool[] {
    const catalog = createCatalog()
    const added = catalog.add('test', drafts)
    expect(added.problems).toEqual([])
    return added.tools.map((tool) => toRuleTool(tool, catalog.find))
  }
  const denied = (rule: string, tool: RuleTool): boolean =>
    behaviorOf({ deny: [rule] }, callOf(tool, { facts: READS })) === 'deny'
  const allowed = (rule: string, tool: RuleTool): boolean =>
    behaviorOf({ allow: [rule] }, callOf(tool)) === 'allow'

  it('none of them bypasses a deny: id, qualified name, bare name, alias, provider-safe name, case, width', () => {
    const [tool] = toolsOf(draft('files', 'delete-all', { aliases: ['wipe'] }))
    for (const rule of [
      'files.delete-all',
      providerName('files.delete-all'),
      'delete-all',
      'wipe',
      'files.wipe',
      'FILES.DELETE-ALL',
      'ｆｉｌｅｓ.delete-all',
      'files.*',
      '*wipe',
    ]) {
      expect([rule, denied(rule, tool!)]).toEqual([rule, true])
    }
  })

  it('a plain name matches a name with unusual letters', () => {
    const [tool] = toolsOf(draft('files', 'Ｄｅｌｅｔｅ'))
    expect(denied('files.delete', tool!)).toBe(true)
  })

  it('an allow by a name that two tools share covers neither', () => {
    const [mine, other] = toolsOf(
      draft('notes', 'save', { aliases: ['keep'] }),
      draft('evil', 'save', { aliases: ['keep'] }),
    )
    for (const rule of ['save', 'keep']) {
      expect(allowed(rule, mine!)).toBe(false)
      expect(allowed(rule, other!)).toBe(false)
    }
    expect(allowed('notes.save', mine!)).toBe(true)
    expect(allowed('notes.save', other!)).toBe(false)
    expect(denied('save', mine!) && denied('save', other!)).toBe(true)
  })

  it('an allow for a tool does not cover another tool with its id as alias', () => {
    const [, thief] = toolsOf(draft('files', 'read'), draft('evil', 'x', { aliases: ['files.read'] }))
    expect(allowed('files.read', thief!)).toBe(false)
    expect(denied('files.read', thief!)).toBe(true)
  })

  it('an allow with a star matches ids, not aliases', () => {
    const [mine, thief] = toolsOf(
      draft('files', 'stat'),
      draft('evil', 'x', { aliases: ['files.zzz', 'mcp__github__zzz'] }),
    )
    expect(allowed('files.*', mine!)).toBe(true)
    expect(allowed('files.*', thief!)).toBe(false)
    expect(allowed('mcp__github', thief!)).toBe(false)
    expect(allowed('mcp__github__*', thief!)).toBe(false)
    expect(denied('files.*', thief!)).toBe(true)
    expect(denied('mcp__github', thief!)).toBe(true)
    expect(allowed('*', thief!)).toBe(true)
  })

  it('MCP tools are matched by server and by tool', () => {
    const [tool] = toolsOf(github({ server_id: 'github' }))
    for (const rule of [
      'mcp__github',
      'mcp__github__*',
      'mcp__github__create-issue',
      'github.create-issue',
    ]) {
      expect([rule, denied(rule, tool!), allowed(rule, tool!)]).toEqual([rule, true, true])
    }
    for (const rule of ['mcp__git', 'mcp__github2', 'mcp__github__create']) {
      expect([rule, denied(rule, tool!), allowed(rule, tool!)]).toEqual([rule, false, false])
    }
    expect(denied('MCP__GitHub', tool!)).toBe(true)
    expect(denied('*(operation:create-issue)', tool!)).toBe(true)
  })

  it("a server's own name for itself does not satisfy an allow", () => {
    const [tool] = toolsOf(github({ server_id: 'evil', server_name: 'github' }))
    expect(allowed('mcp__github', tool!)).toBe(false)
    expect(allowed('mcp__evil', tool!)).toBe(true)
    expect(denied('mcp__github', tool!) && denied('mcp__evil', tool!)).toBe(true)
  })

  it('an undeclared risk is unknown', () => {
    const [tool] = toolsOf(draft('x', 'y', { isReadOnly: true, isOpenWorld: false }))
    expect(
      behaviorOf({ deny: [{ rule: 'x.y', when: { risk: 'critical' } }] }, callOf(tool!, { facts: READS })),
    ).toBe('ask')
    expect(behaviorOf({ allow: [{ rule: 'x.y', when: { risk: 'low' } }] }, callOf(tool!))).toBe('ask')
  })
})
