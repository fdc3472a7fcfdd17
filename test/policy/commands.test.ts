import { describe, expect, it } from 'vitest'
import type { SubCommand } from '../../src/shell/shell-reading.js'
import {
  behaviorOf,
  callOf,
  judged,
  part,
  pathOf,
  running,
  shellTool,
  WORK,
  type Line,
  type RuleLists,
} from './rule-fixtures.js'

const line = (...commands: SubCommand[]) => callOf(shellTool, { touched: running({ commands }) })
const given = (more: Line) => callOf(shellTool, { touched: running(more) })
const reads = { isReadOnly: true }

describe('a command line of several parts', () => {
  const allow = ['Bash(git add:*)', 'Bash(npm test)']

  it('is allowed if every part is, by any rules', () => {
    const call = line(part('git add .'), part('npm test'))
    expect(judged({ allow }, call)).toMatchObject({
      behavior: 'allow',
      reason: { type: 'subcommand_results', message: expect.stringContaining('cover all 2 parts') },
    })
    expect(behaviorOf({ allow: ['Bash(git add:*)'] }, call)).toBe('ask')
  })

  it('parts that are proven to only read need no rule', () => {
    expect(behaviorOf({ allow }, line(part('git add .'), part('ls', reads)))).toBe('allow')
    expect(behaviorOf({ allow }, line(part('ls', reads), part('cat x', reads)))).toBe('ask')
  })

  it('needs approval or is denied if one part is', () => {
    const call = line(part('ls', reads), part('git push'))
    expect(behaviorOf({ deny: ['Bash(git push:*)'], allow: ['Bash'] }, call)).toBe('deny')
    expect(behaviorOf({ ask: ['Bash(git push:*)'], allow: ['Bash'] }, call)).toBe('ask')
  })

  it('meets a deny inside wrappers too', () => {
    const call = line(part('sudo rm x'), part('rm x', { wrappedBy: 0 }))
    expect(behaviorOf({ deny: ['Bash(rm:*)'], allow: ['Bash(sudo:*)'] }, call)).toBe('deny')
  })

  it('is allowed by a rule for the wrapper; a wrapper that adds nothing is allowed by what it runs', () => {
    const sudo = line(part('sudo systemctl restart x'), part('systemctl restart x', { wrappedBy: 0 }))
    expect(behaviorOf({ allow: ['Bash(sudo systemctl:*)'] }, sudo)).toBe('allow')
    expect(behaviorOf({ allow: ['Bash(systemctl:*)'] }, sudo)).toBe('ask')
    const timed = line(
      part('timeout 5 npm test', { isTransparent: true }),
      part('npm test', { wrappedBy: 0 }),
    )
    expect(behaviorOf({ allow }, timed)).toBe('allow')
    expect(behaviorOf({ allow: ['Bash(git add:*)'] }, timed)).toBe('ask')
    expect(behaviorOf({ allow }, line(part('timeout 5', { isTransparent: true }), part('npm test')))).toBe(
      'ask',
    )
  })

  it('a function with the name of an allowed program is not allowed', () => {
    const shadowed = line(part('npm test'), part('rm -rf x', { wrappedBy: 0 }))
    expect(behaviorOf({ allow }, shadowed)).toBe('ask')
    const commands = [part('git add ./x'), part('./x', { wrappedBy: 0 })]
    for (const start of ['git(){ ./x; }', 'git () { ./x; }', 'function git { ./x; }']) {
      const text = `${start}; git add ./x`
      expect(behaviorOf({ allow }, given({ text, commands, reading: { changesMeaning: true } }))).toBe('ask')
    }
    expect(behaviorOf({ allow }, given({ text: 'git add ./x', commands }))).toBe('allow')
  })

  it('an unparsable command is allowed only by a rule with its exact text', () => {
    const odd = given({
      text: 'npm test',
      commands: [part('npm test')],
      reading: { isParsed: false, isComplete: false },
    })
    expect(behaviorOf({ allow }, odd)).toBe('allow')
    expect(behaviorOf({ allow: ['Bash(npm:*)'] }, odd)).toBe('ask')
    expect(behaviorOf({ allow: ['Bash(npm:*)'] }, given({ text: '', commands: [] }))).toBe('ask')
  })
})

describe('redirects', () => {
  const target = `${WORK}/out.txt`
  const writes = (path = target) =>
    given({
      text: `npm test > ${path}`,
      commands: [part('npm test')],
      paths: [pathOf('write', path)],
      reading: { redirects: [path] },
    })

  it('need an allow of their own', () => {
    expect(behaviorOf({ allow: ['Bash(npm test)'] }, writes())).toBe('ask')
    expect(behaviorOf({ allow: ['Bash(npm test)', 'Edit(./*.txt)'] }, writes())).toBe('allow')
    expect(behaviorOf({ allow: ['Bash(npm test)', 'Edit(./src/**)'] }, writes())).toBe('ask')
    expect(behaviorOf({ allow: ['Bash(npm test)', 'Read(./*.txt)'] }, writes())).toBe('ask')
  })

  it('are covered by a rule with the whole line, and by one for the whole tool', () => {
    expect(behaviorOf({ allow: [`Bash(npm test > ${target})`] }, writes())).toBe('allow')
    expect(behaviorOf({ allow: ['Bash'] }, writes())).toBe('allow')
    expect(behaviorOf({ allow: ['Bash(npm test > *)'] }, writes())).toBe('ask')
  })

  it('with a target that only the shell can expand need a rule with the exact text, and may match a deny', () => {
    for (const text of ['npm test > $X', 'npm test >> "$X"', 'npm test 2>$(date).log', 'npm test >|`x`']) {
      const reading = { isComplete: false, hidesTarget: true }
      const call = given({ text, commands: [part('npm test')], reading })
      expect(behaviorOf({ allow: ['Bash(npm test)', 'Edit(//**)'] }, call)).toBe('ask')
      expect(behaviorOf({ allow: [`Bash(${text})`] }, call)).toBe('allow')
      expect(behaviorOf({ allow: ['Bash'], deny: ['Edit(.env)'] }, call)).toBe('ask')
      expect(behaviorOf({ allow: ['Bash'] }, call)).toBe('allow')
    }
    const plain = given({
      text: 'npm test 2>&1',
      commands: [part('npm test')],
      reading: { isComplete: false },
    })
    expect(behaviorOf({ allow: ['Bash(npm test)'], deny: ['Edit(.env)'] }, plain)).toBe('allow')
  })

  it('to devices that store nothing need none', () => {
    expect(behaviorOf({ allow: ['Bash(npm test)'] }, writes('/dev/null'))).toBe('allow')
  })
})

describe('words that only the shell can expand', () => {
  const unknown = (text: string, more: Partial<Line['reading']> = {}) =>
    given({ commands: [part(text, { isLiteral: false })], reading: { isComplete: false, ...more } })
  const asked = (lists: RuleLists, text: string): string =>
    behaviorOf({ allow: ['Bash'], ...lists }, unknown(text))

  it('may name something denied: then the call needs approval', () => {
    for (const deny of [['Read(.env)'], ['Edit(.env)'], ['WebFetch(domain:x.org)'], ['Bash(path:.env)']]) {
      expect(asked({ deny }, 'cat $X')).toBe('ask')
    }
    expect(asked({}, 'cat $X')).toBe('allow')
  })

  it('may be the program that is denied, or the rest of its name', () => {
    const deny = ['Bash(git push:*)', 'Bash(rm * now)']
    expect(asked({ deny }, '$X -rf /')).toBe('ask')
    expect(asked({ deny }, 'g$X')).toBe('ask')
    expect(asked({ deny }, 'git "$X"')).toBe('ask')
    expect(asked({ deny }, 'rm -r $X')).toBe('ask')
    expect(asked({ deny }, 'git commit -m $X')).toBe('allow')
    expect(asked({ deny }, 'make $X')).toBe('allow')
  })

  it('hide nothing if everything that is touched is known', () => {
    const echo = unknown('echo $X', { isComplete: true })
    expect(behaviorOf({ allow: ['Bash'], deny: ['Read(.env)'] }, echo)).toBe('allow')
  })

  it('a rule that does not hold for this caller cannot match', () => {
    const deny = [{ rule: 'Read(.env)', when: { actor: 'bob' } }]
    const call = { ...unknown('cat $X'), actor: 'ann' }
    expect(behaviorOf({ allow: ['Bash'], deny }, call)).toBe('allow')
    expect(behaviorOf({ allow: ['Bash'], deny }, { ...call, actor: 'bob' })).toBe('ask')
  })

  it('an unparsable command may match every rule', () => {
    const odd = given({ text: '((', commands: [], reading: { isParsed: false, isComplete: false } })
    for (const deny of [['Bash(rm:*)'], ['Read(.env)'], ['WebFetch(domain:x.org)']]) {
      expect(behaviorOf({ allow: ['Bash'], deny }, odd)).toBe('ask')
    }
  })
})

describe('paths and hosts of a command', () => {
  it('do not satisfy an allow: running a program on a file is not reading it', () => {
    const call = given({
      commands: [part('python x.py')],
      paths: [pathOf('read', `${WORK}/x.py`)],
      hosts: ['x.org'],
    })
    expect(behaviorOf({ allow: ['Bash(path:./**)', 'Read(./**)'] }, call)).toBe('ask')
    expect(behaviorOf({ allow: ['Bash(domain:x.org)', 'WebFetch(domain:x.org)'] }, call)).toBe('ask')
    expect(behaviorOf({ deny: ['Bash(path:./x.py)'], allow: ['Bash'] }, call)).toBe('deny')
    expect(behaviorOf({ deny: ['Bash(domain:x.org)'], allow: ['Bash'] }, call)).toBe('deny')
  })
})
