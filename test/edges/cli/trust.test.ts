import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeTrust } from '../../../src/edges/cli/trust/describe-trust.js'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, fixtures } from './run-cli.js'

const CONFIG = `tools: ['${fixtures}']\npermission: { allow: [test.touch] }\n`
const TOUCH = ['call', 'test.touch', 'path=made', 'secret=x']

describe('toolcrib trust', () => {
  it('only a person at a terminal can trust', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    for (const input of ['', 'y\n']) {
      const { code, stderr } = await place.run(['trust'], { input })
      expect(code).toBe(2)
      expect(stderr).toContain('toolcrib.yaml wants to loosen:')
      expect(stderr).toContain('allow test.touch')
      expect(stderr).toContain('Only a person at a terminal can give trust')
      expect(stderr).toContain('toolcrib/rules.yaml')
      expect(stderr).not.toMatch(/--yes|are trusted/)
    }
    const { code, stderr } = await place.run(['trust', '--yes'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('not what loosens') })
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('shows the condition of a rule that would allow', async () => {
    const when = '{ read_only: true, actor: [ann, ben], args: { a: 1 } }'
    const place = createPlace(`permission:\n  allow:\n    - { rule: '*', when: ${when} }\n`, {
      isTrusted: false,
    })
    const { stderr } = await place.run(['trust'])
    expect(stderr).toContain('allow * when read_only: true, actor: ann or ben, args: ')
  })

  it('reports that there is nothing to trust', async () => {
    expect((await createPlace('').run(['trust'])).stderr).toContain('nothing to trust')
    expect((await createPlace('permission: { deny: [Bash] }\n').run(['trust'])).stderr).toContain(
      'Nothing here waits',
    )
    expect((await createPlace(CONFIG, { isTrusted: false }).run(['trust', '--revoke'])).stderr).toContain(
      'Nothing here was trusted',
    )
  })
})

describe('toolcrib trust with a folder', () => {
  it('only a person at a terminal can trust', async () => {
    const place = createPlace('')
    const { code, stderr } = await place.run(['trust', '.'], { input: 'y\n' })
    expect(code).toBe(2)
    expect(stderr).toContain('Only a person at a terminal can give trust')
    expect((await place.run(['trust', 'missing'])).stderr).toContain('There is no folder missing.')
    expect((await place.run(['trust', '.', '--revoke'])).stderr).toContain('was not trusted by name')
  })
})

describe('toolcrib shell read', () => {
  it('inspects the given folder', async () => {
    const place = createPlace('')
    execFileSync('git', ['init', '-q', 'clone'], { cwd: place.folder })
    const input = ['git status', 'git -C clone status', 'mvn -v'].map((command) =>
      JSON.stringify({ command }),
    )
    const lines = async () => {
      const { stdout } = await place.run(['shell', 'read', '--jsonl'], { input: input.join('\n') })
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { is_read_only: boolean; reasons: string[] })
    }
    expect((await lines()).map(({ is_read_only }) => is_read_only)).toEqual([true, true, false])
    appendFileSync(join(place.folder, 'clone/.git/config'), '[core]\n\tfsmonitor = x\n')
    const [here, there] = await lines()
    expect(here!.is_read_only).toBe(true)
    expect(there!.reasons[0]).toMatch(/clone\/\.git\/config sets core\.fsmonitor/)
    for (const [command, answer] of [
      ['git status', true],
      ['git -C clone status', false],
    ]) {
      const { stdout } = await place.run(['explain', 'Bash', `command=${String(command)}`, '--json'])
      expect((JSON.parse(stdout) as { facts: object }).facts).toMatchObject({ is_read_only: answer })
    }
  })
})

describe.skipIf(!hasScript)('at a terminal', () => {
  const ASKED = /\[y\/N\]/

  it('a yes to a folder lets commands obey its files, until it is revoked', async () => {
    const place = createPlace('')
    const isProven = async () =>
      (await place.run(['shell', 'read', 'mvn -v', '--json'])).stdout.includes('"is_read_only": true')
    const refused = await onTerminal(place, 'trust .', { typed: [[ASKED, 'n\r']] })
    expect(refused.code).toBe(1)
    for (const line of refused.text.slice(0, refused.text.indexOf('Trust what')).split('\n'))
      expect(line.length).toBeLessThanOrEqual(80)
    expect(await isProven()).toBe(false)
    expect((await onTerminal(place, 'trust .', { typed: [[ASKED, 'y\r']] })).code).toBe(0)
    expect(await isProven()).toBe(true)
    expect((await place.run(['trust', '.', '--revoke'])).stderr).toContain('no longer trusted')
    expect(await isProven()).toBe(false)
  })

  it('a yes holds for the file as it is, until the file changes or the trust is revoked', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    expect((await onTerminal(place, 'trust', { typed: [[ASKED, 'n\r']] })).code).toBe(1)
    expect((await place.run(TOUCH)).code).toBe(2)
    const { code, text } = await onTerminal(place, 'trust', { typed: [[ASKED, 'y\r']] })
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Trusted.') })
    expect((await place.run(TOUCH)).code).toBe(0)
    expect((await place.run(['trust', '--revoke'])).stderr).toContain('no longer count')
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('a yes covers what was shown, and not what was written meanwhile', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    /** Another process writes as soon as the question is shown. */
    class Meanwhile extends RegExp {
      override exec(text: string): RegExpExecArray | null {
        const found = super.exec(text)
        if (found) place.write('toolcrib.yaml', `${CONFIG}surface: { mode: bypass }\n`)
        return found
      }
    }
    const { code } = await onTerminal(place, 'trust', { typed: [[new Meanwhile(ASKED), 'y\r']] })
    expect(code).toBe(0)
    const { stderr } = await place.run(['rules'])
    expect(stderr).toContain('2 settings that loosen wait for your trust')
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('not from inside a tool call', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    const { code, text } = await onTerminal(place, 'trust', { env: { TOOLCRIB_INVOCATION: 'inv_1' } })
    expect({ code, text }).toMatchObject({ code: 2, text: expect.stringContaining('inside a tool call') })
  })
})

it('packages of one folder are one line with their number; --all names each', () => {
  const packages = Array.from({ length: 40 }, (_, at) => `/p/node_modules/@scope/package-${at}`)
  const files = packages.flatMap((root) => [`${root}/a.js`, `${root}/node_modules/inner/b.js`])
  const named = {
    files: new Map([...files, '/p/server.js'].map((path) => [path, `sha256:${'a'.repeat(64)}`])),
    computed: files.map((file) => ({ file, line: 3 })),
    guessed: ['/p/node_modules/one/c.js'],
  }
  const told = (isAll: boolean): string[] => {
    const lines: string[] = []
    const say = (text: string): void => void lines.push(text)
    const terminal = { explain: say, say, sayColumns: 80, sayStyle: { bold: String } }
    const request = { read: { path: '/p/toolcrib.yaml', text: '' }, loosening: [], runs: [], named }
    describeTrust(request, terminal as never, { isAll })
    return lines
  }
  const short = told(false)
  expect(short).toContain('  /p/node_modules (80 files of 80 packages; --all names each)')
  expect(short).toContain('  /p/node_modules/one (1 file)')
  expect(short.filter((line) => line.includes('/p/server.js'))).toHaveLength(1)
  expect(short.length).toBeLessThan(10)
  expect(told(true)).toContain('  /p/node_modules/@scope/package-7 (1 file)')
  expect(short.every((line) => line.length <= 80 || !line.startsWith(' '))).toBe(true)
})
