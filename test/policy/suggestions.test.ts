import { describe, expect, it } from 'vitest'
import type { RuleSource } from '../../src/contract/unions.js'
import type { JudgedCall } from '../../src/policy/judged-call.js'
import type { Policy } from '../../src/policy/policy.js'
import { applyUpdate, type RuleUpdate } from '../../src/policy/rules/rule-update.js'
import { isOpenEnded, prefixOf } from '../../src/policy/commands/safe-prefix.js'
import {
  callOf,
  fetchTool,
  HOME,
  part,
  pathOf,
  policyWith,
  READS,
  readTool,
  reading,
  rulesOf,
  running,
  shellTool,
  toolOf,
  touching,
  WORK,
  writeTool,
  writing,
  type RuleLists,
} from './rule-fixtures.js'

interface Setting {
  lists?: RuleLists
  source?: RuleSource
  workingDirectories?: readonly string[]
  baseOf?: (source: RuleSource) => string
}

function policyOf({ lists = {}, source, workingDirectories = [], baseOf = () => WORK }: Setting): Policy {
  return policyWith(rulesOf(lists, source), { workingDirectories, baseOf })
}

function offered(call: JudgedCall, setting: Setting = {}): readonly RuleUpdate[] {
  const policy = policyOf(setting)
  const { suggestedUpdates } = policy.explain(call)
  // Each suggestion allows exactly this call once it is accepted.
  for (const update of suggestedUpdates) {
    const base = (setting.baseOf ?? (() => WORK))(update.destination)
    const { rules, workingDirectories } = policy
    const next = policyOf(setting)
    next.replace(applyUpdate({ rules, workingDirectories, mode: 'default' }, update, base))
    expect(next.judge({ ...call, mode: next.mode }).behavior).toBe('allow')
  }
  return suggestedUpdates
}
const rulesIn = (updates: readonly RuleUpdate[]): string[] => [
  ...new Set(updates.flatMap((update) => (update.type === 'add_rules' ? update.rules : []))),
]
const line = (...commands: ReturnType<typeof part>[]) => callOf(shellTool, { touched: running({ commands }) })

describe('suggested updates', () => {
  it('are for the session and permanent', () => {
    expect(offered(callOf(toolOf('math.add')))).toEqual([
      { type: 'add_rules', behavior: 'allow', rules: ['math.add'], destination: 'session' },
      { type: 'add_rules', behavior: 'allow', rules: ['math.add'], destination: 'local_settings' },
    ])
  })

  it('are empty if nothing is asked, and if a person decides each time', () => {
    expect(offered(callOf(toolOf('math.add'), { facts: READS }))).toEqual([])
    expect(offered(callOf(toolOf('math.add')), { lists: { deny: ['math.add'] } })).toEqual([])
    expect(offered(callOf(writeTool, { touched: writing(`${WORK}/.git/x`) }))).toEqual([])
    expect(offered(callOf(toolOf('x'), { facts: { ...READS, requires_user_interaction: true } }))).toEqual([])
    expect(offered(callOf(toolOf('math.add'), { mode: 'dontAsk' }))).toEqual([])
  })

  it('of a command: one rule for each part that needs one', () => {
    expect(
      rulesIn(
        offered(line(part('git add .'), part('ls', { isReadOnly: true }), part('npm run test:unit -- x'))),
      ),
    ).toEqual(['shell.exec(git add:*)', 'shell.exec(npm run test:unit:*)'])
    expect(rulesIn(offered(line(part('rm -r build'))))).toEqual(['shell.exec(rm -r build)'])
    expect(rulesIn(offered(line(part('git add a'), part('git add b'))))).toEqual(['shell.exec(git add:*)'])
  })

  it.each([
    'python x.py',
    'python3.12 x.py',
    'node -e 1',
    'bash -c ls',
    'sudo ls',
    'env A=1 ls',
    'xargs rm',
    'npx thing',
    'npm exec thing',
    'yarn node x.js',
    'cargo run',
    'uv run x',
    'git config a b',
    'docker run x',
    'find . -delete',
    '/usr/bin/perl x',
    'make all',
    'curl x.org',
  ])('never start with a program that runs anything: %s', (text) => {
    expect(rulesIn(offered(line(part(text))))).toEqual([])
    expect(rulesIn(offered(line(part('git add .'), part(text))))).toEqual([])
  })

  it('are not offered for words that only the shell can expand, nor for a star', () => {
    expect(rulesIn(offered(line(part('git add $X', { isLiteral: false }))))).toEqual([])
    expect(rulesIn(offered(line(part('rm a*b'))))).toEqual([])
    const odd = callOf(shellTool, {
      touched: running({ text: '((', commands: [], reading: { isParsed: false } }),
    })
    expect(rulesIn(offered(odd))).toEqual([])
  })

  it('of a line with a redirect: its exact text or nothing', () => {
    const redirect = (text: string) =>
      callOf(shellTool, {
        touched: running({
          text,
          commands: [part('npm test')],
          paths: [pathOf('write', `${WORK}/out`)],
          reading: { redirects: [`${WORK}/out`] },
        }),
      })
    expect(rulesIn(offered(redirect('npm  test > out')))).toEqual(['shell.exec(npm test > out)'])
    expect(rulesIn(offered(redirect('(npm test) > out')))).toEqual([])
  })

  it('of a path: its folder in the workspace, elsewhere only the file', () => {
    const edit = (path: string) => callOf(writeTool, { touched: writing(path) })
    expect(rulesIn(offered(edit(`${WORK}/src/a.ts`)))).toEqual(['files.write(./src/**)'])
    expect(rulesIn(offered(edit(`${WORK}/a.ts`)))).toEqual(['files.write(./**)'])
    expect(rulesIn(offered(edit('/x')))).toEqual(['files.write(//x)'])
    expect(rulesIn(offered(edit(`${HOME}/notes.txt`)))).toEqual([`files.write(/${HOME}/notes.txt)`])
    expect(rulesIn(offered(edit(`${WORK}/[id]/page*/a`)))).toEqual(['files.write(./\\[id]/page\\*/**)'])
  })

  it('mean the same folder in every destination', () => {
    const baseOf = (source: RuleSource): string => (source === 'local_settings' ? '/work' : WORK)
    const updates = offered(callOf(writeTool, { touched: writing(`${WORK}/src/a`) }), { baseOf })
    expect(updates).toMatchObject([
      { destination: 'session', rules: ['files.write(./src/**)'] },
      { destination: 'local_settings', rules: ['files.write(./project/src/**)'] },
      { type: 'set_mode' },
    ])
    const elsewhere = offered(callOf(writeTool, { touched: writing(`${WORK}/src/a`) }), {
      baseOf: () => '/config',
    })
    expect(rulesIn(elsewhere)).toEqual([`files.write(/${WORK}/src/**)`])
  })

  it('of a host: that host', () => {
    const call = callOf(fetchTool, { touched: touching({ hosts: ['x.org', 'x.org'] }) })
    expect(rulesIn(offered(call))).toEqual(['http.fetch(domain:x.org)'])
    expect(rulesIn(offered(callOf(fetchTool, { touched: touching({ hosts: ['no host'] }) })))).toEqual([])
  })

  it('of an edit: the mode that accepts edits', () => {
    const call = callOf(writeTool, { touched: writing(`${WORK}/a`) })
    expect(offered(call)).toContainEqual({ type: 'set_mode', mode: 'acceptEdits', destination: 'session' })
    expect(offered(callOf(toolOf('math.add')))).not.toContainEqual(
      expect.objectContaining({ type: 'set_mode' }),
    )
    // A surface with its own mode would not change with the general one.
    expect(offered({ ...call, mode: 'auto' })).not.toContainEqual(
      expect.objectContaining({ type: 'set_mode' }),
    )
  })

  it('of an ask rule: to remove it, if a person can and if that is enough', () => {
    const call = callOf(readTool, { facts: READS, touched: reading(`${WORK}/a`) })
    const lists = { ask: ['Read(./**)'] }
    expect(offered(call, { lists })).toEqual([
      { type: 'remove_rules', behavior: 'ask', rules: ['Read(./**)'], destination: 'user_settings' },
    ])
    expect(offered(call, { lists, source: 'policy_settings' })).toEqual([])
    expect(offered({ ...call, facts: { ...READS, is_read_only: false } }, { lists })).toEqual([])
  })

  it('of a path outside the working folders: to add the folder, or a rule', () => {
    const call = callOf(readTool, { facts: READS, touched: reading('/data/a') })
    expect(offered(call, { workingDirectories: [WORK] })).toMatchObject([
      { type: 'add_directories', directories: ['/data'], destination: 'session' },
      { type: 'add_rules', rules: ['files.read(//data/a)'], destination: 'session' },
      { type: 'add_rules', rules: ['files.read(//data/a)'], destination: 'local_settings' },
    ])
  })
})

describe('the start of a command that says what it does', () => {
  it.each([
    ['git push origin', 'git push:*'],
    ['npm run build', 'npm run build:*'],
    ['npm run', 'npm run'],
    ['git -C x push', 'git -C x push'],
    ['mkdir a', 'mkdir a'],
    ['git', 'git'],
  ])('%s', (text, prefix) => {
    expect(prefixOf(part(text))).toBe(prefix)
  })

  it('is open-ended if it runs its arguments', () => {
    expect(isOpenEnded([])).toBe(true)
    expect(isOpenEnded(['npm', 'run', 'test'])).toBe(false)
    expect(isOpenEnded(['npm', 'run', '-x'])).toBe(true)
    expect(isOpenEnded(['base64', 'file'])).toBe(false)
  })
})
