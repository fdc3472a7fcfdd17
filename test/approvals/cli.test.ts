import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readReply } from '../../src/edges/cli/approvals/read-reply.js'
import { hasScript, onTerminal } from '../edges/cli/on-terminal.js'
import {
  collect,
  createPlace,
  expectRecord,
  fixtures,
  untilPrinted,
  workshop,
  type Place,
} from '../edges/cli/run-cli.js'

const TOKEN = 'open sesame'
const digest = createHash('sha256').update(TOKEN).digest('hex')
const CONFIG = `tools: ['${workshop}', '${fixtures}']
actor: agent:1
approvals:
  reviewers:
    - ann
    - { name: ben, token_sha256: '${digest}' }
`
const AS_BEN = { env: { TOOLCRIB_REVIEWER_TOKEN: TOKEN } }
const touch = (name: string): string[] => ['call', 'test.touch', `path=${name}`, 'secret=hunter22']

/** A pending call of a process that has ended. */
async function leaveWaiting(place: Place, name = 'made'): Promise<string> {
  const { code, stdout, stderr } = await place.run([...touch(name), '--detach'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^appr_inv_\w+_\d+\n$/) })
  expect(stderr).toContain('toolcrib approvals approve')
  return stdout.trim()
}

describe('toolcrib approvals', () => {
  it('lists pending approvals within 80 columns, and shows one in full, with secrets masked', async () => {
    const place = createPlace(CONFIG)
    expect(await place.run(['approvals'])).toMatchObject({ code: 0, stdout: '' })
    const ids = [await leaveWaiting(place, 'a'), await leaveWaiting(place, 'b'.repeat(200))]
    const list = await place.run(['approvals'])
    expect(list.code).toBe(0)
    expect(list.stdout).toContain('test.touch')
    expect(list.stdout).toContain('agent:1')
    expect(list.stdout).toMatch(/\d+ ms ago|\d+\.\d s ago/)
    expect(list.stdout).toContain('left')
    expect(list.stdout).not.toContain('hunter22')
    for (const line of list.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const records = (await place.run(['approvals', '--json'])).stdout.trimEnd().split('\n')
    expect(records.map((line) => (JSON.parse(line) as { approval_id: string }).approval_id)).toEqual(ids)
    const short = list.stdout.split(' ')[0]!
    const shown = await place.run(['approvals', 'show', short])
    for (const part of [ids[0]!, 'agent:1', '"secret": "[redacted]"', 'may write', 'open until'])
      expect(shown.stdout).toContain(part)
    for (const line of shown.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    expect((await place.run(['approvals', 'show', 'last'])).stdout).toContain(ids[1])
    expect(await place.run(['approvals', 'show', 'appr_inv'])).toMatchObject({ code: 2 })
    expect(await place.run(['approvals', 'show', 'nothing'])).toMatchObject({ code: 2 })
  })

  it('reports that the rules changed and a new approval was created, and the call stays pending', async () => {
    const place = createPlace(CONFIG)
    const first = await leaveWaiting(place)
    place.write('toolcrib.local.yaml', 'ask: [test.touch]\n')
    const { code, stderr } = await place.run(['approvals', 'approve', first, '--as', 'ben'], AS_BEN)
    expect(code).toBe(1)
    const [, second = ''] = /it is asked again as (\w+)\./.exec(stderr) ?? []
    expect(second).toMatch(/^appr_inv_\w+$/)
    expect(stderr).toContain(`toolcrib approvals approve ${second}`)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    expect((await place.run(['approvals', 'approve', second, '--as', 'ben'], AS_BEN)).code).toBe(0)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })

  it('approves as a reviewer with proof, and runs the call of a process that is gone', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    const path = join(place.folder, 'made')
    const { code, stdout } = await place.run(['approvals', 'approve', id, '--as', 'ben', '--json'], AS_BEN)
    expect(code).toBe(0)
    expectRecord('tool_result', JSON.parse(stdout))
    expect(existsSync(path)).toBe(true)
    const again = await place.run(['approvals', 'approve', id, '--as', 'ben', '--json'], AS_BEN)
    expect(again.code).toBe(1)
    expect(JSON.parse(again.stdout)).toMatchObject({ error_code: 'toolcrib.approval_already_answered' })
    const { stdout: all } = await place.run(['approvals', '--all', '--json'])
    expect(JSON.parse(all)).toMatchObject({ status: 'used', answer: { by: 'ben' } })
    const story = await place.run(['show', 'last'])
    expect(story.stdout).toContain('taken over')
    expect(story.stdout).toContain('(ben)')
  })

  it('approves with another input, in which masks stand for the hidden values', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    const input = JSON.stringify({ path: join(place.folder, 'other'), secret: '[redacted]' })
    const { code } = await place.run(['approvals', 'approve', id, '--as', 'ben', '--input', input], AS_BEN)
    expect(code).toBe(0)
    expect([existsSync(join(place.folder, 'made')), existsSync(join(place.folder, 'other'))]).toEqual([
      false,
      true,
    ])
    const { stdout } = await place.run(['show', 'last', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      invocation: { status: 'succeeded', call_input: { secret: '[redacted]' } },
      decisions: expect.arrayContaining([expect.objectContaining({ user_modified: true })]),
    })
  })

  it('rejects with a message for the model', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const args = ['approvals', 'reject', 'last', '--as', 'ben', '--feedback', 'Touch the copy.']
    expect(await place.run(args, AS_BEN)).toMatchObject({ code: 0 })
    const { stdout } = await place.run(['show', 'last', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      result: {
        status: 'rejected',
        model_facing_content: [
          { text: expect.stringContaining('Touch the copy.') },
          { text: expect.stringMatching(/^Do not send it again unchanged/) },
        ],
      },
    })
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })

  it('lets a living process continue, and waits for its result on request', async () => {
    const place = createPlace(CONFIG)
    const child = place.start(touch('made'))
    const ran = collect(child)
    await untilPrinted(child, /toolcrib approvals approve appr_/)
    const { code, stdout } = await place.run(
      ['approvals', 'approve', 'last', '--as', 'ben', '--wait', '--json'],
      AS_BEN,
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded' })
    expect((await ran).code).toBe(0)
    const second = place.start(touch('more'))
    const secondRan = collect(second)
    await untilPrinted(second, /toolcrib approvals approve appr_/)
    const quick = await place.run(['approvals', 'approve', 'last', '--as', 'ben'], AS_BEN)
    expect(quick).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Another process continues'),
    })
    expect((await secondRan).code).toBe(0)
  })

  it('with --wait, an approval that nothing here can run ends with 1: a script cannot take it for a result', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    place.write('toolcrib.yaml', CONFIG.replace(/^tools:.*$/m, 'tools: []'))
    const approve = ['approvals', 'approve', id, '--as', 'ben', '--wait']
    const { code, stderr } = await place.run(approve, AS_BEN)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is gone and no') })
  })

  it('refuses callers that cannot be identified, and code inside a tool call', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    const approve = ['approvals', 'approve', id]
    const refusals: [string[], Record<string, string>, number, RegExp][] = [
      [[], {}, 2, /a person at a terminal/],
      [['--as', 'ann'], {}, 2, /only at a terminal or through the library/],
      [['--as', 'ben'], {}, 2, /set TOOLCRIB_REVIEWER_TOKEN/],
      [['--as', 'ben'], { TOOLCRIB_REVIEWER_TOKEN: 'wrong' }, 2, /set TOOLCRIB_REVIEWER_TOKEN/],
      [['--as', 'eve'], AS_BEN.env, 2, /no reviewer "eve"/],
      [['--as', 'ben'], { ...AS_BEN.env, TOOLCRIB_INVOCATION: 'inv_1' }, 2, /inside a tool call/],
      [['--as', 'ben', '--always', '9'], AS_BEN.env, 1, /offers no such change/],
      [['--as', 'ben', '--always', 'x'], AS_BEN.env, 2, /the number of a suggested change/],
      [['--as', 'ben', '--always', '--session'], AS_BEN.env, 2, /either --session or --always/],
    ]
    for (const [args, env, code, sentence] of refusals) {
      const ran = await place.run([...approve, ...args], { env })
      expect({ args, code: ran.code, stdout: ran.stdout }).toEqual({ args, code, stdout: '' })
      expect(ran.stderr).toMatch(sentence)
    }
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    const { stdout } = await place.run(['approvals', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ approval_id: id, status: 'pending' })
  }, 90_000)

  it('the key is created beside the user’s data, for the user alone, and not in the project', async () => {
    const place = createPlace(CONFIG)
    const data = join(place.folder, 'data')
    const env = { TOOLCRIB_SEAL_KEY: '', TOOLCRIB_HOME: '', XDG_DATA_HOME: data, HOME: data }
    const { code, stderr } = await place.run([...touch('made'), '--detach'], { env })
    expect({ code, stderr: stderr.includes('Waits for approval') }).toEqual({ code: 0, stderr: true })
    const key = join(data, 'toolcrib', 'seal.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(place.folder, '.toolcrib'))).not.toContain('seal.key')
    expect(readFileSync(join(place.folder, '.toolcrib', 'crib.db')).includes(readFileSync(key))).toBe(false)
    const done = await place.run(['approvals', 'approve', 'last', '--as', 'ben'], {
      env: { ...env, ...AS_BEN.env },
    })
    expect(done.code).toBe(0)
  })

  it('without reviewers a call can be left pending for the person who made it', async () => {
    const place = createPlace()
    const rejected = await place.run(touch('made'))
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('--detach') })
    await leaveWaiting(place)
    expect((await place.run(['approvals', '--json'])).stdout).toContain('"status":"pending"')
  })

  it('other commands end expired approvals, and run no calls of other processes', async () => {
    const place = createPlace(`${CONFIG}  expiresMs: 2000\n`)
    await leaveWaiting(place)
    for (;;) {
      expect(await place.run(['call', 'math.add', 'a=1', 'b=2'])).toMatchObject({ code: 0 })
      const { stdout } = await place.run(['log', '--json', '--tool', 'test.touch'])
      const { status } = JSON.parse(stdout) as { status: string }
      if (status === 'denied') break
      expect(status).toBe('awaiting_approval')
    }
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })
})

describe.skipIf(!hasScript)('at a terminal', () => {
  const TOUCH = touch('made').join(' ')
  const ASKED = /\[y\/N\] /
  const APPROVE = /Approve it\? \[y\/N\] /
  const person = `person:${userInfo().username}`

  it('the person there answers pending approvals', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const no = await onTerminal(place, 'approvals approve last', { typed: [[APPROVE, '\r']] })
    expect({ code: no.code, says: no.text.includes('It waits on') }).toEqual({ code: 1, says: true })
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    const yes = await onTerminal(place, 'approvals approve last', { typed: [[APPROVE, 'y\r']] })
    expect(yes.code).toBe(0)
    // Everything that a reviewer needs is shown before the question.
    for (const told of ['test.touch', '/made"', 'may write', 'why', 'always'])
      expect(yes.text.slice(0, yes.text.search(APPROVE))).toContain(told)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    const { stdout } = await place.run(['approvals', '--all', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'used', answer: { by: person } })
  })

  it('"approvals" is a picker: one is approved, one rejected, and the last one is left', async () => {
    const place = createPlace(CONFIG)
    for (const name of ['one', 'two', 'three']) await place.run([...touch(name), '--detach'])
    const KEYS = (count: string): RegExp => new RegExp(`${count}[^]*?y once [^]*?q leave`)
    const { code, text } = await onTerminal(place, 'approvals', {
      typed: [
        [KEYS('1 of 3'), '\u001B[B'],
        [KEYS('2 of 3'), 'y'],
        [KEYS('1 of 2'), 'n'],
        [/three[^]*y once [^]*q leave/, 'q'],
      ],
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    for (const told of ['client', 'input', 'facts', 'may write', 'why', 'always'])
      expect(text).toContain(told)
    expect(['one', 'two', 'three'].map((name) => existsSync(join(place.folder, name)))).toEqual([
      false,
      true,
      false,
    ])
    const { stdout } = await place.run(['approvals', '--all', '--json'])
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string })
    expect(records.map(({ status }) => status)).toEqual(['rejected', 'used', 'pending'])
    const inside = await onTerminal(place, 'approvals', { env: { TOOLCRIB_INVOCATION: 'inv_1' } })
    expect({ code: inside.code, asks: inside.text.includes('y once') }).toEqual({ code: 0, asks: false })
  })

  it('a reviewer without a secret may answer by name', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    expect((await onTerminal(place, 'approvals reject last --as ann')).code).toBe(0)
    const { stdout } = await place.run(['approvals', '--all', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'rejected', answer: { by: 'ann' } })
  })

  it('not from inside a tool call', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const { code, text } = await onTerminal(place, 'approvals approve last', {
      env: { TOOLCRIB_INVOCATION: 'inv_1', NO_COLOR: '1' },
    })
    expect({ code, says: text.replaceAll(/\s+/g, ' ').includes('This runs inside a tool call') }).toEqual({
      code: 2,
      says: true,
    })
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })

  it('a new approval is shown at once; on exit it stays pending', async () => {
    const place = createPlace(CONFIG)
    await place.run([...touch('made'), '--ask', 'test.*', '--detach'])
    const again = /asked again as[^]*\[y\/n\]/
    const left = await onTerminal(place, 'approvals approve last', {
      typed: [
        [APPROVE, 'y\r'],
        [again, '\u0003'],
      ],
    })
    expect({ ...left, text: left.text.includes('It waits on') }).toEqual({ code: 130, text: true })
    expect((await place.run(['approvals'])).stdout).toContain('test.touch')
    place.write('toolcrib.local.yaml', 'ask: [test.touch]\n')
    const { code, text } = await onTerminal(place, 'approvals approve last --yes', {
      typed: [[again, 'y\r']],
    })
    expect({ code, text }).toMatchObject({ code: 0 })
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })

  it('a rejection has its reason, and an approval the name of the person', async () => {
    const place = createPlace()
    const no = await onTerminal(place, TOUCH, { typed: [[ASKED, 'n not that one\r']] })
    expect(no.code).toBe(1)
    expect(no.text).toContain('They said: not that one')
    const yes = await onTerminal(place, TOUCH, {
      typed: [
        [ASKED, 'a 9\r'],
        [ASKED, '?\r'],
        [ASKED, 'y\r'],
      ],
    })
    expect(yes.code).toBe(0)
    expect(yes.text).toMatch(/There are \d changes of rules, numbered from 1/)
    expect(yes.text.match(/y: yes, e: edit the input/g)).toHaveLength(2)
    expect(yes.text).not.toContain('session')
    const { stdout } = await place.run(['show', 'last', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      decisions: expect.arrayContaining([
        expect.objectContaining({ toolcrib: expect.objectContaining({ by: person }) }),
      ]),
    })
  })

  it('an approval for always becomes a rule beside the config, and the same call needs no approval again', async () => {
    const place = createPlace()
    const always = await onTerminal(place, TOUCH, { typed: [[ASKED, 'a\r']] })
    expect(always.code).toBe(0)
    expect(always.text).toMatch(/allow test\.touch\(\S+\) in toolcrib\.local\.yaml/)
    expect(readFileSync(join(place.folder, 'toolcrib.local.yaml'), 'utf8')).toContain('test.touch(')
    rmSync(join(place.folder, 'made'))
    expect(await place.run(touch('made'))).toMatchObject({ code: 0 })
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    const explained = await place.run(['explain', ...touch('made').slice(1), '--json'])
    expect(JSON.parse(explained.stdout)).toMatchObject({ behavior: 'allow', source: 'local_settings' })
  })

  it('the input can be edited in place', async () => {
    const place = createPlace()
    const line = JSON.stringify({ path: join(place.folder, 'edited'), secret: '[redacted]' })
    const { code, text } = await onTerminal(place, TOUCH, {
      typed: [
        [ASKED, 'e\r'],
        // Ctrl-U clears the line.
        [/Input: .*redacted.*\}/, `\u0015${line}\r`],
      ],
    })
    expect({ code, text: text.includes('hunter22') }).toEqual({ code: 0, text: false })
    expect(existsSync(join(place.folder, 'edited'))).toBe(true)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })

  it('the question disappears when it was answered elsewhere', async () => {
    const place = createPlace(CONFIG)
    const asked = onTerminal(place, TOUCH)
    for (;;) {
      const { stdout } = await place.run(['approvals', '--json'])
      if (stdout !== '') break
    }
    await place.run(['approvals', 'approve', 'last', '--as', 'ben'], AS_BEN)
    expect((await asked).code).toBe(0)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
  })
})

describe('a reply at the question', () => {
  it.each<[string, number, object]>([
    ['y', 0, { kind: 'yes', scope: 'once' }],
    [' YES ', 0, { kind: 'yes', scope: 'once' }],
    ['e', 0, { kind: 'edit' }],
    ['n', 0, { kind: 'no', feedback: '' }],
    ['no  use the copy ', 0, { kind: 'no', feedback: 'use the copy' }],
    ['s', 2, { kind: 'unclear' }],
    ['?', 2, { kind: 'help' }],
    ['a 2', 2, { kind: 'yes', scope: 'always', update: 2 }],
    ['a 3', 2, { kind: 'unclear' }],
    ['a', 0, { kind: 'unclear' }],
    ['', 2, { kind: 'no' }],
    ['yes please', 2, { kind: 'no' }],
    ['always please', 2, { kind: 'no' }],
    ['yy', 2, { kind: 'no' }],
  ])('%j with %d updates', (line, updates, reply) => expect(readReply(line, updates)).toMatchObject(reply))
})
