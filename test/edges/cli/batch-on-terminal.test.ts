import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal, type Typed } from './on-terminal.js'
import { readScreen, type Screen } from './read-screen.js'
import { createPlace, type Place } from './run-cli.js'

const add = (a: number, b: number) => ({ name: 'math.add', input: { a, b } })
const slow = (to: number, stepMs: number) => ({ name: 'slow.count', input: { to, stepMs } })

const CTRL_C = '\u0003'
/** Waits until the lines were redrawn twice: keys that are typed then follow the redraw. */
const twice = (pattern: string): RegExp => new RegExp(String.raw`${pattern}[\s\S]*?\[\d+A[\s\S]*?\[\d+A`)

interface Seen extends Screen {
  code: number | null
  /** All output so far. */
  text: string
}

async function batch(
  place: Place,
  calls: unknown,
  { typed = [], options = '' }: { typed?: readonly Typed[]; options?: string } = {},
): Promise<Seen> {
  place.write('calls.json', JSON.stringify(calls))
  const ran = await onTerminal(place, `batch calls.json ${options}`, { typed, env: { NO_COLOR: '1' } })
  return { ...ran, ...readScreen(ran.text) }
}

/** However it ended: the cursor is visible and no line was ever as wide as the terminal. */
function expectTidy({ isCursorShown, columns }: Screen): void {
  expect({ isCursorShown, isNarrow: columns <= 80 }).toEqual({ isCursorShown: true, isNarrow: true })
}

/** Without the parts that differ in each run. */
const steady = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/ in [\d.]+ m?s, /, ' in …, ').replace(/inv_\w+/, 'inv_…'))

describe.skipIf(!hasScript)('toolcrib batch on a terminal', () => {
  it('has a live line for each call, and leaves the results in order', async () => {
    const seen = await batch(createPlace(), [
      { ...slow(20, 40), id: 'slow' },
      add(1, 2),
      { ...add(3, 4), depends_on: ['slow'] },
      { name: 'test.fail' },
    ])
    expect(seen.text).toMatch(
      /[⠋-⠿] 1 slow\.count {2}running {4}█+░+ +\d+ % {2}counted \d+ of 20 +[\d.]+ m?s/,
    )
    expect(seen.text).toMatch(/✓ 2 math\.add {4}succeeded/)
    expect(seen.text).toMatch(/… 3 math\.add {4}queued {5}after 1/)
    expect(seen.text).toContain('\u001B[?25l')
    expectTidy(seen)
    expect(seen.code).toBe(1)
    expect(steady(seen.lines).slice(0, -2)).toEqual([
      '✓ 1 slow.count  succeeded in …, inv_…',
      'Counted to 20.',
      '',
      '✓ 2 math.add  succeeded in …, inv_…',
      '{"sum":3}',
      '',
      '✓ 3 math.add  succeeded in …, inv_…',
      '{"sum":7}',
      '',
      '✗ 4 test.fail  failed in …, inv_…',
      'The drill is broken.',
    ])
    expect(seen.lines.at(-2)).toMatch(/^3 succeeded, 1 failed · [\d.]+ m?s$/)
  })

  it('shows the running calls and counts the others if there are more calls than rows', async () => {
    const calls = Array.from({ length: 40 }, () => slow(4, 40))
    const seen = await batch(createPlace(), calls, { options: '--max-parallel 6' })
    expect(seen.text).toMatch(/and \d+ queued, \d+ succeeded/)
    expect(seen.redrawn).toBeLessThanOrEqual(23)
    expectTidy(seen)
    expect(seen.lines[0]).toMatch(/^✓ 1 slow\.count {2}succeeded/)
    expect(seen.lines.at(-2)).toMatch(/^40 succeeded · /)
  })

  it('keys that are typed meanwhile neither break the lines nor answer a question', async () => {
    const place = createPlace()
    const seen = await batch(place, [add(1, 2), { name: 'test.ask', input: { path: 'go' } }], {
      typed: [
        [twice('running'), 'too early\r\r\r'],
        [twice(''), () => (place.write('go', ''), '')],
        [/Which colour\?[^>]*> /, 'blue\r'],
      ],
    })
    expect(steady(seen.lines).slice(0, -2)).toEqual([
      'Which colour?',
      '> blue',
      '✓ 1 math.add  succeeded in …, inv_…',
      '{"sum":3}',
      '',
      '✓ 2 test.ask  succeeded in …, inv_…',
      'It is blue.',
    ])
    expectTidy(seen)
  })

  it('asks one question at a time, and the lines continue after it', async () => {
    const place = createPlace()
    const touch = (path: string) => ({ name: 'test.touch', input: { path, secret: 'hunter22' } })
    const seen = await batch(place, [touch('a'), { name: 'test.wait', input: { path: 'a' } }, touch('b')], {
      typed: [
        [/Run test\.touch\? \[y\/N\] /, 'y\r'],
        [/Run test\.touch\? \[y\/N\] /, 'n not this one\r'],
      ],
    })
    expect(seen.code).toBe(1)
    expect(existsSync(join(place.folder, 'a'))).toBe(true)
    expect(existsSync(join(place.folder, 'b'))).toBe(false)
    expect(seen.text).not.toContain('hunter22')
    expect(seen.lines.filter((line) => line.startsWith('Run test.touch?'))).toEqual([
      'Run test.touch? [y/N] y',
      'Run test.touch? [y/N] n not this one',
    ])
    expect(seen.lines).toContain('The call was not approved. They said: not this one')
    expect(seen.lines.at(-2)).toMatch(/^2 succeeded, 1 denied · /)
    expectTidy(seen)
  })

  it('a question whose call has ended disappears, and later output is below it', async () => {
    const calls = [{ name: 'test.touch', input: { path: 'a', secret: 'hunter22' } }, slow(1000, 20)]
    const seen = await batch(createPlace(), calls, { options: '--timeout 3000' })
    expect(seen.lines).toContain('Run test.touch? [y/N]')
    expect(seen.lines.at(-2)).toMatch(/^2 timed out · /)
    expectTidy(seen)
  })

  it('Ctrl-C at a question ends it and asks no other', async () => {
    const place = createPlace()
    const touch = (path: string) => ({ name: 'test.touch', input: { path, secret: 'hunter22' } })
    const seen = await batch(place, [touch('a'), touch('b')], { typed: [[/\[y\/N\] /, CTRL_C]] })
    expect(seen.code).toBe(130)
    expect(seen.text.match(/\[y\/N\]/g)).toHaveLength(1)
    expect(seen.lines.at(-2)).toMatch(/^2 canceled · /)
    expect(existsSync(join(place.folder, 'a'))).toBe(false)
    expectTidy(seen)
  })

  it('Ctrl-C cancels the calls that can be interrupted and lets the others continue', async () => {
    const place = createPlace()
    const calls = [slow(1000, 20), { name: 'test.wait', input: { path: 'go' } }, slow(1000, 20)]
    const seen = await batch(place, calls, {
      typed: [
        [twice('3 slow\\.count +running'), CTRL_C],
        [twice('again to force'), () => (place.write('go', ''), '')],
      ],
    })
    expect(seen.code).toBe(130)
    expect(seen.lines[0]).toBe('Stopping; tools that cannot be interrupted run on. Ctrl-C again to force.')
    expect(steady(seen.lines).filter((line) => line.includes('inv_'))).toEqual([
      '■ 1 slow.count  canceled in …, inv_…',
      '✓ 2 test.wait  succeeded in …, inv_…',
      '■ 3 slow.count  canceled in …, inv_…',
    ])
    expectTidy(seen)
  })

  it('a second Ctrl-C cancels all calls', async () => {
    const seen = await batch(createPlace(), [add(1, 2), { name: 'test.stubborn' }, { name: 'test.deaf' }], {
      typed: [
        [twice('2 test\\.stubborn +running'), CTRL_C],
        [twice('again to force'), CTRL_C],
      ],
    })
    expect(seen.code).toBe(130)
    expect(seen.text).toContain('2 test.stubborn  stopping')
    expect(seen.lines).toContain('Forcing; what does not stop is given up.')
    expect(seen.lines.join(' ')).toContain('given up: it was canceled, but the tool did not stop')
    expect(seen.lines.at(-2)).toMatch(/^1 succeeded, 2 canceled · /)
    expectTidy(seen)
  })

  it('--verbose prints lines that stay, and a dumb terminal gets no live ones', async () => {
    const place = createPlace()
    const verbose = await batch(place, [slow(3, 1)], { options: '--verbose' })
    expect(verbose.text).not.toContain('\u001B')
    // Progress is stored at a limited rate: the first and the last remain.
    expect(verbose.lines).toContain('1 slow.count: 33 % counted 1 of 3')
    expect(verbose.lines).toContain('1 slow.count: 100 % counted 3 of 3')
    const dumb = await onTerminal(place, 'batch calls.json', { env: { TERM: 'dumb' } })
    expect({ code: dumb.code, isPlain: !dumb.text.includes('\u001B') }).toEqual({ code: 0, isPlain: true })
  })
})
