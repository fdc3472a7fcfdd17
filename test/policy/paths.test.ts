import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherTouched } from '../../src/policy/commands/gather-touched.js'
import { mayOverlap } from '../../src/policy/patterns/overlap.js'
import { parsePathPattern, toPathTest, segmentsOf } from '../../src/policy/patterns/path-pattern.js'
import { judge } from '../../src/policy/judge.js'
import { followLinks } from '../../src/platform/files/follow-links.js'
import { temporaryFolder } from '../temporary-folder.js'
import {
  behaviorOf,
  bookOf,
  callOf,
  HOME,
  part,
  pathOf,
  READS,
  readTool,
  reading,
  rulesOf,
  running,
  setOf,
  shellTool,
  WORK,
  writeTool,
} from './rule-fixtures.js'

fc.configureGlobal({ seed: 1 })

const reads = (path: string) => callOf(readTool, { facts: READS, touched: reading(path) })

describe('path patterns', () => {
  it.each<[string, string[], string[]]>([
    ['./src/**', ['src/a', 'src/a/b'], ['src', 'source', 'docs/src/a']],
    ['./src', ['src', 'src/a/b'], ['src2']],
    ['src/', [`${WORK}/x/src`, '/elsewhere/src/y'], ['srcs']],
    ['src/a', ['src/a', 'src/a/b'], ['docs/src/a']],
    ['/src/a', ['src/a'], ['/src/a']],
    ['src/*.ts', ['src/a.ts', 'src/.ts'], ['src/a/b.ts', 'src/a.tsx']],
    ['src/**/*.ts', ['src/a.ts', 'src/a/b/c.ts'], ['a.ts']],
    ['**/secret', ['secret', 'a/b/secret'], ['secrets', '/secret']],
    ['.env', ['.env', '/any/where/.env', 'a/.env/b'], ['.env.local', 'a.env']],
    ['*.env', ['.env', 'prod.env', '/x/prod.env/y'], ['.env.local']],
    ['*.tar.gz', ['a.tar.gz', 'a.b.tar.gz'], ['a.gz']],
    ['[abc]?.txt', ['a1.txt', 'cc.txt'], ['d1.txt', 'a.txt']],
    ['[!abc].txt', ['d.txt'], ['a.txt']],
    ['[]x].txt', ['].txt', 'x.txt'], ['y.txt']],
    ['[a-c]*', ['b', 'cat'], ['dog']],
    ['~/notes/**', [`${HOME}/notes/a`], [`${HOME}/note`, 'notes/a']],
    ['~', [HOME, `${HOME}/x`], ['/home/anna']],
    ['//etc/x', ['/etc/x', '/etc/x/y'], ['/etc/xy', 'etc/x']],
    ['//', ['/etc/x', '/'], []],
    ['//**', ['/etc/x', 'a'], []],
    ['/', ['a', '.'], ['/etc']],
    ['.', ['a', '.'], ['..', '/etc']],
    ['..', ['../x', 'a'], ['/other']],
    ['../docs/**', ['/work/docs/a'], ['docs/a']],
    ['./a/../b', ['b'], ['a']],
    ['a\\*b', ['a*b'], ['axb']],
    ['./\\[id\\]/**', ['[id]/page'], ['i/page']],
    ['a b/c', ['a b/c'], ['a/b']],
    ['ä*', ['äx'], ['ax']],
  ])('%s', (pattern, met, unmet) => {
    const at = (path: string): string => (path.startsWith('/') ? path : join(WORK, path))
    const rules = { deny: [`files.read(${pattern})`] }
    expect(setOf(rules).problems).toEqual([])
    for (const path of met) expect([path, behaviorOf(rules, reads(at(path)))]).toEqual([path, 'deny'])
    for (const path of unmet) expect([path, behaviorOf(rules, reads(at(path)))]).toEqual([path, 'allow'])
  })

  it.each(['!src/**', 'a[', '[z-a].txt', 'a[]b', '[!]', '[[:alpha:]]'])(
    '%s cannot be read, and says so',
    (pattern) => {
      expect(setOf({ deny: [`files.read(${pattern})`] }).problems).toHaveLength(1)
      expect(behaviorOf({ deny: [`files.read(${pattern})`] }, reads('/anything'))).toBe('deny')
    },
  )

  it('a folder whose name looks like a wildcard is matched literally', () => {
    const base = '/work/[old] app*'
    const deny = rulesOf(
      { deny: ['files.read(./.env)', 'files.read(./src/*.key)'] },
      'project_settings',
      base,
    )
    const at = (path: string): string => judge(bookOf(deny), reads(path)).behavior
    expect(at(`${base}/.env`)).toBe('deny')
    expect(at(`${base}/src/a.key`)).toBe('deny')
    expect(at('/work/o app1/.env')).toBe('allow')
  })

  it('an allow must cover every path of the call', () => {
    const move = callOf(writeTool, {
      touched: {
        ...reading(`${WORK}/src/a`),
        paths: [pathOf('read', `${WORK}/src/a`), pathOf('write', '/etc/x')],
      },
    })
    expect(behaviorOf({ allow: ['files.write(./src/**)'] }, move)).toBe('ask')
    expect(behaviorOf({ allow: ['files.write(./src/**)', 'files.write(//etc/x)'] }, move)).toBe('allow')
  })

  it('the tree of folders finds the same as testing each pattern', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '.e', 'x.e', '[a]')
    const glob = fc.oneof(segment, fc.constantFrom('*', '**', '*.e', 'a*', '?', '[ab]', '.*'))
    const pattern = fc
      .tuple(fc.constantFrom('./', '//', '~/', ''), fc.array(glob, { minLength: 1, maxLength: 4 }))
      .map(([start, parts]) => start + parts.join('/'))
    const path = fc
      .tuple(fc.constantFrom('', WORK, HOME), fc.array(segment, { minLength: 1, maxLength: 5 }))
      .map(([folder, parts]) => `${folder}/${parts.join('/')}`)
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 6 }), path, (patterns, at) => {
        const alone = patterns.map((each) => parsePathPattern(each, { base: WORK, home: HOME }))
        const isMet = alone.some((each) => each.ok && toPathTest(each.pattern)(segmentsOf(at)))
        const rules = { deny: patterns.map((each) => `files.read(${each})`) }
        expect(behaviorOf(rules, reads(at))).toBe(isMet ? 'deny' : 'allow')
      }),
      { numRuns: 800 },
    )
  })
})

describe('wildcards that the shell will expand', () => {
  const cat = (path: string, more = {}) =>
    callOf(shellTool, {
      facts: READS,
      touched: running({
        commands: [part(`cat ${path}`, { isReadOnly: true })],
        paths: [pathOf('read', path, { isGlob: true, ...more })],
      }),
    })
  const outcome = (rule: string, path: string): string =>
    behaviorOf({ deny: [rule], allow: ['Bash'] }, cat(path))

  it.each<[string, string[], string[]]>([
    [
      'Read(.env)',
      ['.e*', '.en?', '.[a-z]nv', '.*', './*/.env', '**/.env'],
      ['*', '?env', '[.]env', 'a*', '.e*x'],
    ],
    ['Read(*.key)', ['*', 'id*', '*.k?y', 'x/*'], ['.*.pub', 'x.pub?']],
    ['Read(./secrets/**)', ['sec*/a', 's*/*', '*/key', 'secrets/*'], ['src/*', 'secrets.*']],
    ['Read(./a/**/z)', ['a/*/*/z', 'a/[z]', 'a/b*/z'], ['b/*']],
    ['Read(//etc/hosts)', ['/etc/h*', '/e?c/hosts', '/*/*'], ['/etc/passwd*', '/var/*']],
    ['Read(~/x)', [`${HOME}/[x]`], [`${HOME}/y*`]],
  ])('%s matches if they could name it', (rule, met, unmet) => {
    const at = (path: string): string => (path.startsWith('/') ? path : `${WORK}/${path}`)
    for (const path of met) expect([path, outcome(rule, at(path))]).toEqual([path, 'deny'])
    for (const path of unmet) expect([path, outcome(rule, at(path))]).toEqual([path, 'allow'])
  })

  it('do not satisfy an allow', () => {
    const tee = callOf(shellTool, {
      touched: running({
        text: 'npm test > *',
        commands: [part('npm test')],
        paths: [pathOf('write', `${WORK}/*`, { isGlob: true })],
        reading: { redirects: [`${WORK}/*`] },
      }),
    })
    expect(behaviorOf({ allow: ['Bash(npm test)', 'Edit(./**)'] }, tee)).toBe('ask')
  })

  it('are compared with the real path of the folder before them', () => {
    const call = cat(`${WORK}/link/*`, { real: `${WORK}/secrets/*` })
    expect(behaviorOf({ deny: ['Read(./secrets/**)'], allow: ['Bash'] }, call)).toBe('deny')
  })

  it('a rule that names a path also matches every glob that names it', () => {
    const letters = fc.constantFrom('a', 'b', '.', 'e')
    const name = fc.array(letters, { minLength: 1, maxLength: 3 }).map((each) => each.join(''))
    const wild = fc
      .array(fc.oneof(letters, fc.constantFrom('*', '?', '[ab]', '[.e]')), { minLength: 1, maxLength: 3 })
      .map((each) => each.join(''))
    const rule = fc.array(fc.oneof(name, wild, fc.constant('**')), { minLength: 1, maxLength: 4 })
    const glob = fc.array(fc.oneof(name, wild), { minLength: 1, maxLength: 4 })
    const path = fc.array(name, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(rule, glob, path, fc.boolean(), (segments, globbed, named, isAnywhere) => {
        const pattern = isAnywhere ? { segments: segments.slice(0, 1), isAnywhere } : { segments, isAnywhere }
        const isBoth = toPathTest(pattern)(named) && expandsTo(globbed, named)
        if (isBoth) expect(mayOverlap(pattern, globbed)).toBe(true)
      }),
      { numRuns: 8000 },
    )
  })
})

/** As a shell does: the same number of segments, and a wildcard at the start of a name does not match a dot. */
function expandsTo(globbed: readonly string[], named: readonly string[]): boolean {
  if (globbed.length !== named.length) return false
  return globbed.every((segment, index) => {
    const name = named[index]!
    if (/^[*?[]/.test(segment) && name.startsWith('.')) return false
    const source = segment
      .replaceAll('.', String.raw`\.`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')
      .replaceAll(String.raw`[\.e]`, '[.e]')
    return new RegExp(`^${source}$`).test(name)
  })
}

describe('links', () => {
  function linked() {
    const folder = temporaryFolder()
    const at = (...names: string[]): string => join(folder, ...names)
    for (const name of ['open', 'secret', 'deep/er']) mkdirSync(at(name), { recursive: true })
    writeFileSync(at('secret', 'key'), 'k')
    writeFileSync(at('open', 'note'), 'n')
    symlinkSync(at('secret'), at('open', 'way'))
    symlinkSync('../secret/key', at('open', 'relative'))
    symlinkSync(at('secret', 'not-yet'), at('open', 'dangling'))
    symlinkSync('dangling', at('open', 'twice'))
    symlinkSync(at('deep', 'er'), at('open', 'far'))
    symlinkSync('../missing', at('deep', 'er', 'below'))
    symlinkSync('loop', at('open', 'loop'))
    return { folder, at }
  }

  it('are followed, also dangling ones and those below other links', () => {
    const { at } = linked()
    expect(followLinks(at('open', 'note'))).toBe(at('open', 'note'))
    expect(followLinks(at('open', 'relative'))).toBe(at('secret', 'key'))
    expect(followLinks(at('open', 'way', 'key'))).toBe(at('secret', 'key'))
    expect(followLinks(at('open', 'way', 'new', 'file'))).toBe(at('secret', 'new', 'file'))
    expect(followLinks(at('open', 'dangling'))).toBe(at('secret', 'not-yet'))
    expect(followLinks(at('open', 'twice', 'x'))).toBe(at('secret', 'not-yet', 'x'))
    expect(followLinks(at('open', 'far', 'below'))).toBe(at('deep', 'missing'))
    expect(followLinks(at('open', 'loop'))).toBe(at('open', 'loop'))
  })

  it('an unreadable path is itself, below the readable part', () => {
    const { at } = linked()
    const many = Array.from({ length: 200 }, () => 'd')
    expect(followLinks(at('open', 'way', ...many))).toBe(at('secret', ...many))
    expect(followLinks(at('open', 'relative', 'below-a-file'))).toBe(at('secret', 'key', 'below-a-file'))
    expect(followLinks(at('open', 'way', 'a\0b'))).toBe(at('secret', 'a\0b'))
    expect(followLinks(at('open', 'way', 'x'.repeat(300)))).toBe(at('secret', 'x'.repeat(300)))
    const long = `/${'x/'.repeat(100_000)}`
    expect(followLinks(long)).toBe(long)
  })

  it('an allow needs both the path as written and its real path, a deny or ask either', () => {
    const { folder, at } = linked()
    const place = { workspace: folder, home: HOME, followLinks }
    const judgedAt = (lists: object, path: string): string => {
      const rules = rulesOf(lists, 'user_settings', folder)
      const touched = gatherTouched(readTool, { path }, place)
      return judge(bookOf(rules), callOf(readTool, { touched })).behavior
    }
    for (const path of ['open/relative', 'open/way/key', 'open/way/new', 'open/dangling', 'open/twice']) {
      expect(judgedAt({ deny: ['files.read(./secret/**)'] }, path)).toBe('deny')
      expect(judgedAt({ deny: ['files.read(./open/**)'] }, path)).toBe('deny')
      expect(judgedAt({ ask: ['files.read(./secret/**)'], allow: ['files.read'] }, path)).toBe('ask')
      expect(judgedAt({ allow: ['files.read(./open/**)'] }, path)).toBe('ask')
      expect(judgedAt({ allow: ['files.read(./secret/**)'] }, path)).toBe('ask')
      expect(judgedAt({ allow: ['files.read(./open/**)', 'files.read(./secret/**)'] }, path)).toBe('allow')
    }
    expect(judgedAt({ allow: ['files.read(./open/**)'] }, 'open/note')).toBe('allow')
    expect(judgedAt({ deny: ['files.read(./secret/**)'] }, at('open', 'note'))).toBe('ask')
  })

  it('before a wildcard of the shell are followed too', () => {
    const { folder, at } = linked()
    const touched = gatherTouched(
      shellTool,
      { command: 'cat open/way/*' },
      { workspace: folder, home: HOME, followLinks },
    )
    expect(touched?.paths).toMatchObject([
      { isGlob: true, path: at('open', 'way', '*'), real: at('secret', '*') },
    ])
  })
})
