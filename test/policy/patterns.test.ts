import { describe, expect, it } from 'vitest'
import { gatherTouched } from '../../src/policy/commands/gather-touched.js'
import { parseCommandPattern, squeeze } from '../../src/policy/patterns/command-pattern.js'
import { parseHostPattern } from '../../src/policy/patterns/host-pattern.js'
import { toTextTest } from '../../src/policy/patterns/glob-text.js'
import { NO_FIELDS } from '../../src/policy/rules/rule-tool.js'
import {
  behaviorOf,
  callOf,
  fetchTool,
  HOME,
  part,
  READS,
  readTool,
  running,
  setOf,
  shellTool,
  toolOf,
  WORK,
} from './rule-fixtures.js'

const place = { workspace: WORK, home: HOME, followLinks: (path: string) => path }
const FETCHES = { ...READS, is_open_world: true }
const fetches = (url: unknown, tool = fetchTool) =>
  callOf(tool, { input: { url }, touched: gatherTouched(tool, { url }, place), facts: FETCHES })
const runs = (text: string) => callOf(shellTool, { touched: running({ commands: [part(text)] }) })

describe('command patterns', () => {
  const meets = (rule: string, text: string): boolean =>
    behaviorOf({ deny: [`Bash(${rule})`] }, runs(text)) === 'deny'

  it.each<[string, string[], string[]]>([
    ['git status', ['git status'], ['git status -s', 'git', 'git statusx', ' git']],
    [
      'npm run test:*',
      ['npm run test', 'npm run test:unit', 'npm run test -- x'],
      ['npm run tests', 'npm run'],
    ],
    ['npm run test *', ['npm run test', 'npm run test x'], ['npm run tests']],
    ['git * main', ['git push origin main', 'git checkout main'], ['git main', 'git push main x']],
    ['git * main:*', ['git push x main', 'git push x main --force'], ['git push x mainly']],
    ['*--force*', ['git push --force', 'x --force-with-lease'], ['git push']],
    ['command:git:*', ['git', 'git push'], ['gitk']],
  ])('%s', (rule, met, unmet) => {
    for (const text of met) expect([text, meets(rule, text)]).toEqual([text, true])
    for (const text of unmet) expect([text, meets(rule, text)]).toEqual([text, false])
  })

  it('many stars cost no more than one', () => {
    const test = toTextTest(`${'a*'.repeat(30)}b`)
    expect(test('a'.repeat(5000))).toBe(false)
    expect(toTextTest('ab*ba')('aba')).toBe(false)
    expect(parseCommandPattern('  ')).toBeUndefined()
  })

  it('blanks count once, but not in quotes, and a new line ends a command', () => {
    expect(squeeze('  git \t log   main ')).toBe('git log main')
    expect(squeeze(`echo "a  b"  'c  d'  e\\  f`)).toBe(`echo "a  b" 'c  d' e\\  f`)
    expect(squeeze('git log\nmain')).toBe('git log\nmain')
    expect(squeeze('git\u00a0log')).toBe('git\u00a0log')
    const twice = running({ text: 'git log\nmain', commands: [part('git log'), part('main')] })
    expect(behaviorOf({ allow: ['Bash(git log main)'] }, callOf(shellTool, { touched: twice }))).toBe('ask')
    const other = running({ text: 'rm "a  b"', commands: [part('rm a  b')] })
    expect(behaviorOf({ allow: ['Bash(rm "a b")'] }, callOf(shellTool, { touched: other }))).toBe('ask')
  })

  it('a command given as a list of words is judged as a whole', () => {
    const tool = toolOf('proc.run', { fields: { ...NO_FIELDS, command: { field: 'argv' } } })
    const touched = gatherTouched(tool, { argv: ['rm', '-rf', 'a b', `it's`, '$HOME', 7] }, place)
    expect(touched?.commandText).toBe(`rm -rf 'a b' 'it'\\''s' '$HOME' 7`)
  })

  it('starts in the folder that the input names, relative to the workspace', () => {
    const touched = (cwd: unknown) =>
      gatherTouched(shellTool, { command: 'cat x', cwd }, place)?.paths.map(({ path }) => path)
    expect(touched('sub')).toEqual([`${WORK}/sub/x`])
    expect(touched('/tmp')).toEqual(['/tmp/x'])
    expect(touched('')).toEqual([`${WORK}/x`])
    expect(touched(undefined)).toEqual([`${WORK}/x`])
  })

  it('a rule for commands does not apply to tools that run none', () => {
    expect(behaviorOf({ deny: ['*(command:rm:*)'] }, callOf(toolOf('math.add'), { facts: READS }))).toBe(
      'allow',
    )
  })
})

describe('domains', () => {
  it.each<[string, string[], string[]]>([
    [
      'example.com',
      ['https://example.com', 'http://EXAMPLE.com.:8080/x'],
      ['https://a.example.com', 'https://example.com.org'],
    ],
    [
      '*.example.com',
      ['https://a.example.com', 'https://a.b.example.com/'],
      ['https://example.com', 'https://badexample.com'],
    ],
    ['*', ['https://anything.org', 'no url at all'], []],
    [
      '127.0.0.1',
      ['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1'],
      ['http://127.0.0.2'],
    ],
    ['[::1]', ['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]:80/'], ['http://[::2]/']],
    ['0:0:0:0:0:0:0:1', ['http://[::1]/'], []],
    [
      'bücher.example',
      ['https://xn--bcher-kva.example/', 'https://BÜCHER.example'],
      ['https://bucher.example'],
    ],
  ])('%s', (domain, met, unmet) => {
    const rules = { deny: [`http.fetch(domain:${domain})`] }
    for (const url of met) expect([url, behaviorOf(rules, fetches(url))]).toEqual([url, 'deny'])
    for (const url of unmet) expect([url, behaviorOf(rules, fetches(url))]).not.toEqual([url, 'deny'])
  })

  it('are read as an HTTP client reads them: no unusual spelling bypasses a rule', () => {
    const rules = { deny: ['WebFetch(domain:evil.org)'] }
    const odd = [
      'https:evil.org',
      'https:/evil.org/x',
      'https:\\\\evil.org',
      'https:////evil.org',
      '//evil.org/x',
      'evil.org',
      'evil.org:443/x',
      'https://good.org@evil.org/',
      'https://user:word@evil.org',
      ' https://evil.org',
      'ht\ntps://evil.org',
      'https://e%76il.org',
      'https://ｅｖｉｌ.org',
      'evil.org/?next=http://good.org',
    ]
    for (const url of odd) expect([url, behaviorOf(rules, fetches(url))]).toEqual([url, 'deny'])
  })

  it.each([
    'https://example.com/%61dmin/x',
    'https://example.com/%61%64%6D%69%6e/x',
    'https://example.com/%2561dmin/x',
    'https://example.com/docs/%2e%2e/admin/x',
    'https://example.com/docs/..%2fadmin%2Fx',
    'https://example.com/%5Cadmin%5Cx',
    'https://example.com/docs/../%61dmin/x?q=%20',
  ])('%s is denied as the path that a server reads in it', (url) => {
    expect(behaviorOf({ deny: ['http.fetch(url:*/admin/*)'] }, fetches(url))).toBe('deny')
    expect(behaviorOf({ allow: ['http.fetch(https://example.com/docs/*)'] }, fetches(url))).toBe('ask')
  })

  it('may be written with or without encoding', () => {
    const rules = { allow: ['http.fetch(https://example.com/%64ocs/a%20b/*)'] }
    expect(behaviorOf(rules, fetches('https://example.com/docs/a%20b/c'))).toBe('allow')
    expect(behaviorOf(rules, fetches('https://example.com/docs/a b/%63?q=%2F#x'))).toBe('allow')
    expect(behaviorOf(rules, fetches('https://example.com/docs/a%20b/%3Fc%'))).toBe('allow')
    expect(behaviorOf(rules, fetches('https://example.com/docs/a%20b/%C3%A4'))).toBe('allow')
  })

  it('is not decoded in its query, which names other things than the path', () => {
    const rules = { deny: ['http.fetch(url:*/admin/*)'] }
    expect(behaviorOf(rules, fetches('https://example.com/search?q=a%2Fadmin%2Fb'))).toBe('ask')
  })

  it('an allow covers every URL of the input or none', () => {
    const rules = { allow: ['http.fetch(domain:good.org)'] }
    expect(behaviorOf(rules, fetches('https://good.org/x'))).toBe('allow')
    expect(behaviorOf(rules, fetches(['https://good.org', 'https://evil.org']))).toBe('ask')
    expect(behaviorOf(rules, fetches(['https://good.org', 'http://[']))).toBe('ask')
    expect(behaviorOf(rules, fetches(['https://good.org', 'file:///etc/passwd']))).toBe('ask')
    expect(behaviorOf(rules, fetches('good.org.evil.org'))).toBe('ask')
  })

  it('a bare name is a domain too, and applies to every tool that talks to it', () => {
    const other = toolOf('page.open', { fields: fetchTool.fields })
    for (const rule of ['WebFetch(evil.org)', 'WebFetch(domain:evil.org)', 'http.fetch(domain:evil.org)']) {
      expect(behaviorOf({ deny: [rule] }, fetches('https://evil.org', other))).toBe('deny')
      expect(behaviorOf({ deny: [rule] }, fetches('https://good.org', other))).toBe('ask')
      const curl = running({ commands: [part('curl evil.org')], hosts: ['evil.org'] })
      expect(behaviorOf({ deny: [rule], allow: ['Bash'] }, callOf(shellTool, { touched: curl }))).toBe('deny')
    }
    // An allow applies only to the tool that it names.
    expect(behaviorOf({ allow: ['WebFetch(domain:good.org)'] }, fetches('https://good.org', other))).toBe(
      'ask',
    )
  })

  it.each(['https://example.com', 'example.com:8080', 'a b', 'example.com/x', '*.', '', 'a@b', '-a.org'])(
    '"%s" is no domain, and a rule with it says so',
    (text) => {
      expect(parseHostPattern(text)).toBeUndefined()
      expect(setOf({ deny: [`WebFetch(domain:${text})`] }).problems).toHaveLength(1)
    },
  )
})

describe('URLs', () => {
  it.each<[string, string[], string[]]>([
    [
      'https://example.com/docs/*',
      ['https://example.com/docs/x', 'HTTPS://Example.com:443/docs/#y'],
      ['https://example.com/', 'http://example.com/docs/x'],
    ],
    [
      'https://EXAMPLE.com',
      ['https://example.com', 'https://example.com/#a', 'https://u:p@example.com./'],
      ['https://example.com/x'],
    ],
    ['https://example.com:8443/*', ['https://example.com:8443/x'], ['https://example.com/x']],
    [
      'https://*.example.com/*',
      ['https://a.example.com/x'],
      ['https://evil.org/.example.com/', 'https://evil.org/?a.example.com/x'],
    ],
    [
      '*://example.com/x',
      ['http://example.com/x', 'https://example.com/x'],
      ['https://evil.org/://example.com/x'],
    ],
    [
      'example.com/admin/*',
      ['https://example.com/admin/x', 'http://example.com/admin/'],
      ['https://example.com/'],
    ],
    ['url:*/admin/*', ['https://example.com/admin/x'], ['https://example.com/x']],
  ])('%s', (pattern, met, unmet) => {
    const rules = { deny: [`http.fetch(${pattern})`] }
    for (const url of met) expect([url, behaviorOf(rules, fetches(url))]).toEqual([url, 'deny'])
    for (const url of unmet) expect([url, behaviorOf(rules, fetches(url))]).not.toEqual([url, 'deny'])
    const allows = { allow: [`http.fetch(${pattern})`] }
    for (const url of met) expect([url, behaviorOf(allows, fetches(url))]).toEqual([url, 'allow'])
    for (const url of unmet) expect([url, behaviorOf(allows, fetches(url))]).not.toEqual([url, 'allow'])
  })

  it('an allow covers every URL of the input or none', () => {
    const rules = { allow: ['http.fetch(https://good.org/*)'] }
    expect(behaviorOf(rules, fetches(['https://good.org/a', 'https://good.org/b']))).toBe('allow')
    expect(behaviorOf(rules, fetches(['https://good.org/a', 'http://[']))).toBe('ask')
  })

  it('of a file is a path that is read', () => {
    const rules = { deny: ['Read(.env)'] }
    expect(behaviorOf(rules, fetches('file:///work/project/.env'))).toBe('deny')
    expect(behaviorOf(rules, fetches('file:///work/project/%2Eenv'))).toBe('deny')
    expect(behaviorOf(rules, fetches('file:///work/project/env'))).toBe('ask')
  })
})

describe('the meaning of a specifier follows from the tool', () => {
  const both = toolOf('notes.save', {
    fields: { ...NO_FIELDS, paths: [{ field: 'path', access: 'write' }], urls: ['url'] },
    nativeIds: ['saveNote'],
  })
  const saves = (input: object) =>
    callOf(both, { input, touched: gatherTouched(both, input, place), facts: READS })

  it('a path, a URL or a condition, by its form', () => {
    const is = (rule: string, input: object): boolean =>
      behaviorOf({ deny: [`notes.save(${rule})`] }, saves(input)) === 'deny'
    expect(is('./a/**', { path: 'a/b' })).toBe(true)
    expect(is('https://x.org/*', { url: 'https://x.org/y' })).toBe(true)
    expect(is('size > 10', { size: 11 })).toBe(true)
    expect(is('size > 10', { size: 9 })).toBe(false)
    expect(is('operation:saveNote', {})).toBe(true)
    expect(is('operation:drop*', {})).toBe(false)
  })

  it('a native id if the tool has no paths', () => {
    const tool = toolOf('api.x', { nativeIds: ['createUser', 'POST /users'] })
    const call = callOf(tool, { facts: READS })
    for (const rule of ['api.x(createUser)', 'api.x(operation:create*)', '*(operation:POST /users)']) {
      expect(behaviorOf({ deny: [rule] }, call)).toBe('deny')
    }
    expect(behaviorOf({ deny: ['*(operation:deleteUser)'] }, call)).toBe('allow')
    expect(behaviorOf({ allow: ['api.x(operation:createUser)'] }, callOf(tool))).toBe('allow')
  })

  it('without a meaning for the tool, it denies every call and allows none', () => {
    const call = callOf(toolOf('math.add'), { facts: READS })
    expect(behaviorOf({ deny: ['math.add(whatever)'] }, call)).toBe('deny')
    expect(behaviorOf({ allow: ['math.add(whatever)'] }, callOf(toolOf('math.add')))).toBe('ask')
    // A path specifier does not match a tool without paths.
    expect(behaviorOf({ deny: ['*(path:.env)'] }, call)).toBe('allow')
    expect(behaviorOf({ deny: ['*(domain:x.org)'] }, call)).toBe('allow')
    expect(behaviorOf({ deny: ['Read(domain:x.org)'] }, callOf(readTool, { facts: READS }))).toBe('allow')
  })
})
