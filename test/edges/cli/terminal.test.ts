import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace } from './run-cli.js'

const TOUCH = 'call test.touch path=made secret=hunter22'
const ASKED = /\[y\/N\]/
const MENU = /q: leave\) > /

describe.skipIf(!hasScript)('on a terminal', () => {
  it('uses colours, and none with NO_COLOR', async () => {
    const place = createPlace()
    expect((await onTerminal(place, 'tools')).text).toContain('\u001B[1m')
    expect((await onTerminal(place, 'tools', { env: { NO_COLOR: '1' } })).text).not.toContain('\u001B[')
  })

  it('shows a footer, and escapes control characters of the output', async () => {
    const { code, text } = await onTerminal(createPlace(), 'call test.rude', { env: { NO_COLOR: '1' } })
    expect(code).toBe(0)
    expect(text).toContain(String.raw`before\u001b]0;title\u0007after`)
    expect(text).toMatch(/succeeded in \d+ ms, inv_\w+/)
  })

  it('asks before a write, with the secret masked, and runs after a yes', async () => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, TOUCH, { typed: [[ASKED, 'y\r']] })
    expect(text).toContain('Run test.touch? [y/N]')
    // The path of the folder decides where the line is broken.
    expect(text.replaceAll(/\s/g, '')).toContain('[redacted]')
    expect(text).not.toContain('hunter22')
    expect(code).toBe(0)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })

  it('does not run after any other answer', async () => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, TOUCH, { typed: [[ASKED, '\r']] })
    expect(text).toContain('The call was not approved.')
    expect(code).toBe(1)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })

  it('Ctrl-C at the question cancels the call', async () => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, TOUCH, { typed: [[ASKED, '\u0003']] })
    expect(text).toContain('it was canceled')
    expect(code).toBe(130)
    const { stdout } = await place.run(['show', 'last', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ invocation: { status: 'canceled' } })
  })

  it('the demo offers a menu and prints the story of the chosen call', async () => {
    const { code, text } = await onTerminal(createPlace(''), 'demo', {
      typed: [
        [MENU, '1\r'],
        [MENU, 'text.count text=a\r'],
        [MENU, 'math.add a=[\r'],
        [MENU, 'q\r'],
      ],
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    expect(text).toContain('✓ math.add  succeeded')
    expect(text).toContain('✓ text.count  succeeded')
    expect(text).toContain('What next')
  })
})

describe('without a terminal', () => {
  it('uses no colours', async () => {
    const place = createPlace()
    await place.run(['call', 'test.fail'])
    for (const args of [['tools'], ['log'], ['show', 'last'], ['call', 'test.fail']]) {
      const { stdout, stderr } = await place.run(args)
      expect(stdout + stderr).not.toContain('\u001B[')
    }
  })

  it('the demo plays a tour that succeeds and leaves nothing behind', async () => {
    const place = createPlace('')
    const { code, stdout, stderr } = await place.run(['demo'], { env: { TMPDIR: place.folder } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const status of ['✓ math.add', '✓ text.count', '✗ math.add', '⊘ notes.write', '✓ slow.count']) {
      expect(stdout).toContain(status)
    }
    expect(stdout).toContain('What next')
    expect(stdout.replaceAll(/password=\w+/g, '')).not.toContain('hunter2')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(existsSync(place.storeFile)).toBe(false)
    expect(readdirSync(place.folder)).toEqual([])
  })

  it('the demo --json prints one story per line', async () => {
    const { stdout } = await createPlace('').run(['demo', '--json'])
    const stories = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: object })
    expect(stories.length).toBeGreaterThanOrEqual(5)
    for (const { result } of stories) expect(result).toBeDefined()
  })
})
