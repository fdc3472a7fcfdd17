import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCommand } from '../../src/shell/read-command.js'
import type { ShellReading } from '../../src/shell/shell-reading.js'
import { cleanContext } from './clean-context.js'

const { folders } = cleanContext
const place = { cwd: '/w', home: '/home/me', folders }
const read = (command: string): ShellReading => readCommand(command, place)

describe('a command that only reads', () => {
  it('is concurrency-safe, and lists what it reads', () => {
    expect(read('cat .env | sort')).toEqual({
      is_read_only: true,
      is_destructive: false,
      is_open_world: false,
      is_concurrency_safe: true,
      reads: ['/w/.env'],
      writes: [],
      deletes: [],
      redirects: [],
      executes: [],
      hosts: [],
      commands: [
        {
          text: 'cat .env',
          words: ['cat', '.env'],
          isLiteral: true,
          isReadOnly: true,
          wrappedBy: undefined,
          isTransparent: false,
        },
        {
          text: 'sort',
          words: ['sort'],
          isLiteral: true,
          isReadOnly: true,
          wrappedBy: undefined,
          isTransparent: false,
        },
      ],
      given: [
        {
          args: ['cat', '.env'],
          from: 0,
          index: 0,
          folders: [{ cwd: '/w', home: '/home/me' }],
          isOpen: false,
        },
        { args: ['sort'], from: 0, index: 1, folders: [{ cwd: '/w', home: '/home/me' }], isOpen: false },
      ],
      changesMeaning: false,
      isComplete: true,
      hidesCode: false,
      isBlind: false,
      hasLooseGap: false,
      hidesTarget: false,
      isParsed: true,
      reasons: [],
    })
  })

  it.each(['cat src/a.ts', 'ls -la ./src', 'git log --oneline -5', 'wc -l a 2>/dev/null', 'timeout 5 cat a'])(
    '%s',
    (command) =>
      expect(read(command)).toMatchObject({ is_read_only: true, writes: [], is_destructive: false }),
  )

  it('is open-world if a host is named', () => {
    const reading = read('curl https://example.com/')
    expect(reading.is_open_world).toBe(true)
    expect(reading.hosts).toEqual(['example.com'])
  })

  it('reports if it reads more than is listed', () => {
    const reading = read('cat $(ls)')
    if (reading.is_read_only) expect(reading.reasons).not.toEqual([])
    expect(reading.isComplete).toBe(false)
  })
})

describe('a command that does more', () => {
  it('is not read-only, and says why', () => {
    const reading = read('rm -rf build && cat a')
    expect(reading).toMatchObject({
      is_read_only: false,
      is_destructive: true,
      is_concurrency_safe: false,
      writes: ['/w/build'],
      deletes: ['/w/build'],
      reads: ['/w/a'],
    })
    expect(reading.reasons.length).toBeGreaterThan(0)
    expect(new Set(reading.reasons).size).toBe(reading.reasons.length)
    for (const reason of reading.reasons) expect(reason).toMatch(/^\S.*\.$/)
  })

  it('marks the proven commands in it', () => {
    const marks = read('cat a; rm b; sudo cat c').commands.map(({ text, isReadOnly }) => [text, isReadOnly])
    expect(marks).toEqual([
      ['cat a', true],
      ['rm b', false],
      ['sudo cat c', false],
      ['cat c', false],
    ])
  })

  it('marks none if names may have another meaning', () => {
    const { commands } = read('cat() { rm b; }; cat a')
    expect(commands.some(({ isReadOnly }) => isReadOnly)).toBe(false)
  })

  it('an unknown program may write its arguments', () => {
    expect(read('unheard-of ./a --out=./b c')).toMatchObject({
      is_read_only: false,
      isComplete: false,
      reads: ['/w/a', '/w/b', '/w/c'],
      writes: ['/w/a', '/w/b'],
    })
  })

  it('an unparsable command counts as the worst', () => {
    expect(read('cat .env "')).toMatchObject({
      is_read_only: false,
      is_destructive: true,
      is_open_world: true,
      isComplete: false,
      isParsed: false,
    })
    expect(read('cat .env "').reads).toContain('/w/.env')
  })
})

it('the same command in another folder has other paths', () => {
  expect(readCommand('cat a ~/b', { cwd: '/x/y', home: '/h' }).reads).toEqual(['/x/y/a', '/h/b'])
  expect(readCommand('cat a', { cwd: '/', home: '/h' }).reads).toEqual(['/a'])
  expect(readCommand('cat a', { cwd: '/odd [name]/*', home: '/h' }).reads).toEqual(['/odd \\[name]/\\*/a'])
})

const corpus = new URL('../../../shared/data/shell/labelled-commands.jsonl', import.meta.url)

describe.skipIf(!existsSync(corpus))('commands with labels from people', () => {
  const rows = existsSync(corpus)
    ? readFileSync(corpus, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { command: string; label: string })
    : []

  it('both readers agree: a command that is proven read-only does not write in the other', () => {
    const torn = rows.filter(({ command, label }) => {
      const { reasons } = read(command)
      return label === 'readonly' && reasons.some((reason) => reason.startsWith('It seems to read only'))
    })
    expect(torn.map(({ command }) => command)).toEqual([])
  })

  it('a command that needs review has visible effects', () => {
    const asked = rows.filter(({ label }) => label !== 'readonly')
    const quiet = asked.filter(({ command }) => {
      const { is_destructive, is_open_world, isComplete, writes } = read(command)
      return !is_destructive && !is_open_world && isComplete && writes.length === 0
    })
    expect(quiet.length / asked.length).toBeLessThan(0.05)
  })
})
