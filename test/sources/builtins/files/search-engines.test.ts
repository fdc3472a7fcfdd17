import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toRipgrepPattern } from '../../../../src/sources/builtins/files/search/to-ripgrep-pattern.js'
import { findRipgrep } from '../../../../src/sources/builtins/files/search/find-candidates.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'
import { openFiles } from './open-files.js'

const ripgrep = findRipgrep(process.env)
if (ripgrep === undefined) console.warn('ripgrep is not installed: searches are not compared with it.')

const LINES = [
  'plain words and numbers 12345',
  'Plain WORDS',
  '\ttabs\tand  spaces ',
  'a.b(c)[d]{e}*+?^$|\\',
  'price: $5.00 (50%)',
  'ends with carriage\r',
  'middle\rcarriage',
  'naïve café Straße ſtraße K',
  'ΑΒΓ αβγ',
  'foo_bar-baz foo bar',
  'aaa aaaa aaaaa',
  'x=1;y=2;z=3',
  'http://example.com/path?a=b&c=d#e',
  '',
  '   ',
  '“quotes” — dashes',
]

function makeFiles(): TemporaryFolder {
  const folder = openTemporaryFolder()
  for (let index = 0; index < 60; index++) {
    const lines = LINES.filter((_, at) => (index * 7 + at * 3) % 5 < 3)
    folder.write(`src/${index % 4}/file-${index}.txt`, lines.join(index % 3 === 0 ? '\r\n' : '\n'))
  }
  writeFileSync(folder.file('wide.txt'), Buffer.from(`\ufeff${LINES.join('\n')}`, 'utf16le'))
  writeFileSync(folder.file('latin.txt'), Buffer.from('caf\u00e9 cr\u00e8me\nplain\n', 'latin1'))
  writeFileSync(folder.file('binary.bin'), Buffer.from('plain\0words 12345\n'))
  folder.write('.hidden.txt', 'plain words\n')
  folder.write('.gitignore', 'ignored/\n*.log\n!keep.log\n')
  folder.write('ignored/a.txt', 'plain words\n')
  folder.write('a.log', 'plain words\n')
  folder.write('keep.log', 'plain words\n')
  folder.write('node_modules/a.js', 'plain words\n')
  folder.write('sub/.env', 'plain words\n')
  folder.write('mark.txt', '\ufeffplain words\n')
  folder.write('no end.txt', 'plain')
  folder.write('-e.txt', 'plain words\n')
  return folder
}

const PATTERNS: readonly object[] = [
  { pattern: 'plain' },
  { pattern: 'plain', ignore_case: true },
  { pattern: '^plain words$' },
  { pattern: String.raw`\d+` },
  { pattern: String.raw`\bfoo\b` },
  { pattern: String.raw`foo.bar` },
  { pattern: String.raw`[a-c]+\.[^x]` },
  { pattern: String.raw`^\s*$` },
  { pattern: String.raw`\S+\s\S+` },
  { pattern: String.raw`(?:and|with) \w+` },
  { pattern: String.raw`a{3,4}\b` },
  { pattern: String.raw`carriage$` },
  { pattern: String.raw`e.c` },
  { pattern: 'straße', ignore_case: true },
  { pattern: 'k', ignore_case: true },
  { pattern: 'αβγ', ignore_case: true },
  { pattern: 'caf.' },
  { pattern: '[é]' },
  { pattern: String.raw`\$\d` },
  { pattern: String.raw`[\w-]+=[\d]` },
  { pattern: String.raw`(a)\1` },
  { pattern: '(?<=foo )bar' },
  { pattern: String.raw`\p{Lu}` },
  { pattern: 'x*' },
  { pattern: '[$]5' },
  { pattern: String.raw`[\]\[]` },
  { pattern: 'a.b(c)[d]{e}*+?^$|\\', literal: true },
  { pattern: 'WORDS', literal: true },
  { pattern: 'WORDS', literal: true, ignore_case: true },
  { pattern: '$5.00', literal: true },
  { pattern: 'plain', glob: '*.log' },
  { pattern: 'plain', glob: 'src/**/*.{txt,md}', limit: 7 },
  { pattern: 'plain', include_ignored: true },
  { pattern: 'foo', context_lines: 2, limit: 20 },
  { pattern: 'found nowhere at all' },
]

describe('search_files', () => {
  it.skipIf(ripgrep === undefined)('finds the same with ripgrep and without', async () => {
    const folder = makeFiles()
    const permission = { deny: ['Read(**/.env)'] }
    const options = { permission, results: { maxInlineChars: 10_000_000 } }
    const fast = await openFiles(folder.path, options)
    const plain = await openFiles(folder.path, { ...options, env: { PATH: '/nowhere' } })
    let found = 0
    for (const input of PATTERNS) {
      const { structured_content: one } = await fast.call('search_files', { limit: 1000, ...input })
      const { structured_content: other, error } = await plain.call('search_files', { limit: 1000, ...input })
      expect(error?.message).toBeUndefined()
      expect(one, JSON.stringify(input)).toEqual(other)
      found += (one as { matches: unknown[] }).matches.length
    }
    expect(found).toBeGreaterThan(1000)
  })

  it('decides without ripgrep what the two read differently', () => {
    for (const source of [
      String.raw`(a)\1`,
      '(?=a)',
      '(?<n>a)',
      String.raw`\p{L}`,
      String.raw`\u0041`,
      '[é]',
      '[^]',
      String.raw`[\S]`,
    ])
      expect(toRipgrepPattern(source)).toBeUndefined()
    expect(toRipgrepPattern(String.raw`\d+\.$`)).toBe(String.raw`[0-9]+\.(?:\r?$)`)
  })

  it('refuses a pattern that is wrong or never ends', async () => {
    const folder = openTemporaryFolder()
    folder.write('a.txt', `${'a'.repeat(60)}!\n`)
    const { call } = await openFiles(folder.path, { env: { PATH: '/nowhere' } })
    const problem = async (pattern: string) => (await call('search_files', { pattern })).error?.message
    expect(await problem('(')).toContain('no regular expression')
    expect(await problem('^(a+)+$')).toContain('takes too long')
  })
})
