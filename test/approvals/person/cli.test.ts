import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { ToolcribApproval, ToolResult } from 'toolcrib'
import { hasScript, onTerminal } from '../../edges/cli/on-terminal.js'
import { createPlace, type Place } from '../../edges/cli/run-cli.js'
import { startApi } from '../../sources/openapi/start-api.js'
import { object, restTransport, text, toolFolder } from '../../sources/tool-file/write-tools.js'

const tools = join(import.meta.dirname, 'person-tools.mjs')
const TOKEN = 'open sesame'
const digest = createHash('sha256').update(TOKEN).digest('hex')
const CONFIG = `tools: ['${tools}']
actor: agent:1
approvals:
  reviewers:
    - ann
    - { name: ben, token_sha256: '${digest}' }
`
const AS_BEN = { env: { TOOLCRIB_REVIEWER_TOKEN: TOKEN } }

/** A question of a process that has ended. */
async function leaveWaiting(place: Place): Promise<string> {
  const { code, stdout, stderr } = await place.run(['call', 'desk.review', 'order=A1', '--detach'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^appr_inv_\w+_\d+\n$/) })
  expect(stderr).toContain('toolcrib approvals answer')
  return stdout.trim()
}

const lastOf = async (place: Place): Promise<ToolcribApproval> =>
  JSON.parse((await place.run(['approvals', '--all', '--json'])).stdout) as ToolcribApproval

describe('toolcrib approvals, of a question with a form', () => {
  it('lists it by its queue, and shows the form', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    expect((await place.run(['approvals', '--queue', 'hiring'])).stdout).toBe('')
    const { stdout } = await place.run(['approvals', '--queue', 'refunds'])
    expect(stdout).toContain('in refunds, ')
    const shown = (await place.run(['approvals', 'show', 'last'])).stdout
    for (const part of [id, 'refunds', 'decision: refund | refuse  What is done.', 'note: text (optional)'])
      expect(shown).toContain(part)
    expect(shown).not.toContain('may write')
  })

  it('answers with key=value or with JSON, refuses what does not fit, and prints the result', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    const answer = (...more: string[]) =>
      place.run(['approvals', 'answer', 'last', '--as', 'ben', ...more], AS_BEN)
    const wrong = await answer('decision=maybe', 'amount=0')
    expect(wrong.code).toBe(1)
    const said = wrong.stderr.replaceAll(/\s+/g, ' ')
    expect(said).toContain('"decision" must be one of "refund", "refuse"; "amount" must be at least 1.')
    expect((await answer('--content', '{"decision": "refund"}')).stderr).toContain('"amount"')
    expect((await answer()).stderr).toContain('key=value')
    expect((await answer('decision=refund', '--content', '{}')).code).toBe(2)
    const approve = await place.run(['approvals', 'approve', id, '--as', 'ben'], AS_BEN)
    expect(approve).toMatchObject({
      code: 2,
      stderr: `"desk.review" asks for the fields of a form; answer with: toolcrib approvals answer ${id} (or reject)\n`,
    })
    const right = await answer('decision=refund', 'amount=12.5', 'lines=["a"]', 'notify=true', '--json')
    expect(right.code).toBe(0)
    expect(JSON.parse(right.stdout) as ToolResult).toMatchObject({
      status: 'succeeded',
      structured_content: { decision: 'refund', amount: 12.5, lines: ['a'], notify: true },
      toolcrib: { native: { answered_by: 'ben' } },
    })
    expect(await lastOf(place)).toMatchObject({ status: 'used', answer: { by: 'ben' } })
    const shown = await place.run(['approvals', 'show', id])
    for (const part of ['answered', 'by ben', '"amount": 12.5']) expect(shown.stdout).toContain(part)
    expect((await answer('decision=refund', 'amount=1')).stderr).toContain('Nothing waits')
  })

  it('rejects with feedback', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const args = ['approvals', 'reject', 'last', '--feedback', 'Ask sales.', '--as', 'ben']
    expect((await place.run(args, AS_BEN)).code).toBe(0)
    expect(await lastOf(place)).toMatchObject({ status: 'rejected', answer: { feedback: 'Ask sales.' } })
  })
})

describe.skipIf(!hasScript)('a form at a terminal', () => {
  const person = `person:${userInfo().username}`
  /** Fills in the form, with mistakes on the way. */
  const typed = [
    [/refund \| refuse: /, 'perhaps\r'],
    [/Choose one[^]*refund \| refuse: /, '2\r'],
    [/amount: number: /, '\r'],
    [/required[^]*amount: number: /, '7\r'],
    [/yes or no \(optional\): /, 'n\r'],
    [/JSON list \(optional\): /, '["x"]\r'],
    [/note: text \(optional\): /, '\r'],
  ] as const
  const content = { decision: 'refuse', amount: 7, notify: false, lines: ['x'] }

  it('is filled in by "approvals answer", field by field', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const { code, text } = await onTerminal(place, 'approvals answer last', { typed, env: { NO_COLOR: '1' } })
    expect(code).toBe(0)
    expect(text).toContain('Refund review')
    expect(await lastOf(place)).toMatchObject({ status: 'used', answer: { by: person, content } })
  })

  it('"approvals approve" names the command that answers it, and asks for no yes', async () => {
    const place = createPlace(CONFIG)
    const id = await leaveWaiting(place)
    const { code, text } = await onTerminal(place, 'approvals approve last', { typed: [] })
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`answer with: toolcrib approvals answer ${id} (or reject)`)
    expect({ code, isAsked: text.includes('Approve it?') }).toEqual({ code: 2, isAsked: false })
    expect(await lastOf(place)).toMatchObject({ status: 'pending' })
  })

  it('is left open by Ctrl-D', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const left = [[/refund \| refuse: /, '\u0004']] as const
    const { code, text } = await onTerminal(place, 'approvals answer last', { typed: left })
    expect({ code, says: text.includes('It waits on') }).toEqual({ code: 1, says: true })
    expect(await lastOf(place)).toMatchObject({ status: 'pending' })
  })

  it('is filled in after y in the picker', async () => {
    const place = createPlace(CONFIG)
    await leaveWaiting(place)
    const { text } = await onTerminal(place, 'approvals', {
      typed: [[/needs an answer[^]*y answer [^]*q leave/, 'y'], ...typed],
      env: { NO_COLOR: '1' },
    })
    expect(text).toContain('decision: refund | refuse; amount: number;')
    expect(await lastOf(place)).toMatchObject({ status: 'used', answer: { content } })
  })

  it('is filled in by the person who makes the call, and corrected', async () => {
    const place = createPlace(`tools: ['${tools}']`)
    const wrong = [
      [/refuse: /, 'refund\r'],
      [/number: /, '0\r'],
      [/yes or no/, '\r'],
      [/list/, '\r'],
      [/note/, '\r'],
    ] as const
    const { code, text } = await onTerminal(place, 'call desk.review order=A1 --json', {
      typed: [
        ...wrong,
        [/must be at least 1[^]*refuse: /, 'refund\r'],
        [/number: /, '3\r'],
        ...wrong.slice(2),
      ],
      env: { NO_COLOR: '1' },
    })
    expect({ code, has: text.includes('"amount": 3') }).toEqual({ code: 0, has: true })
  })
})

it.skipIf(!hasScript)(
  'a form is filled in at the terminal of the gateway',
  async () => {
    const place = createPlace(`tools: ['${tools}']`)
    const { text } = await onTerminal(place, 'serve --port 0', {
      typed: [
        [/127\.0\.0\.1/, () => (void place.run(['call', 'desk.review', 'order=A1', '--detach']), '')],
        [/needs an answer[^]*y answer/, 'y'],
        [/refund \| refuse: /, '1\r'],
        [/amount: number: /, '0\r'],
        [/yes or no \(optional\): /, '\r'],
        [/JSON list \(optional\): /, '\r'],
        [/note: text \(optional\): /, '\r'],
        // The whole form is refused, and shown again as it was filled in.
        [/must be at least 1[^]*refuse: /, '\r'],
        [/amount: number: /, '\u007F4\r'],
        [/yes or no \(optional\): /, '\r'],
        [/JSON list \(optional\): /, '\r'],
        [/note: text \(optional\): /, '\r'],
        [/you {2}desk\.review {2}answered/, '\u0003'],
      ],
      env: { NO_COLOR: '1' },
    })
    expect(text).toContain('answered')
    expect(await lastOf(place)).toMatchObject({
      status: 'used',
      answer: { by: `person:${userInfo().username}`, content: { decision: 'refund', amount: 4 } },
    })
  },
  60_000,
)

describe('an answer to a call of a tool folder whose process is gone', () => {
  const reviewers = `  reviewers:\n    - { name: ben, token_sha256: '${digest}' }\n`
  const config = `toolFiles:\n  desk: { folder: ./support }\nactor: agent:1\napprovals:\n${reviewers}`

  it('gives the result here, for a question and for an approval', async () => {
    const api = await startApi(() => ({ text: 'done' }))
    const place = createPlace(config)
    const folder = toolFolder(join(place.folder, 'support'))
    const transport = restTransport(api.url, 'POST /questions')
    folder.tool('review', {
      type: 'human',
      interface: { input: object({ text }), output: object({ decision: text }, ['decision']) },
      transport,
    })
    folder.tool('send', { type: 'action', transport: { ...transport, endpoint: 'POST /messages' } })
    await place.run(['call', 'aml.desk.review', 'text=a', '--detach'])
    const answered = await place.run(
      ['approvals', 'answer', 'last', 'decision=refund', '--as', 'ben'],
      AS_BEN,
    )
    expect({ code: answered.code, stderr: answered.stderr }).toMatchObject({ code: 0 })
    expect(answered.stdout).toContain('refund')
    await place.run(['call', 'aml.desk.send', 'text=a', '--detach'])
    const approved = await place.run(['approvals', 'approve', 'last', '--as', 'ben'], AS_BEN)
    expect({ code: approved.code, stderr: approved.stderr }).toMatchObject({ code: 0 })
    expect(approved.stdout).toContain('done')
    expect(api.requests.map(({ url }) => url)).toEqual(['/questions', '/messages'])
  })
})
