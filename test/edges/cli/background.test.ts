import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore, type OpenTask, type ToolProgress, type ToolResult } from 'toolcrib'
import { allOf } from '../../../src/edges/cli/program/all-of.js'
import { isRunning } from '../../is-running.js'
import { hasScript, onTerminal } from './on-terminal.js'
import {
  collect,
  createPlace,
  expectRecord,
  fixtures,
  untilPrinted,
  workshop,
  type Place,
  type Ran,
} from './run-cli.js'

/** The background processes. */
const left = new Set<number>()

afterEach(() => {
  for (const pid of left) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  left.clear()
})

const linesOf = <Line>({ stdout }: Ran): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

async function tasksOf(place: Place): Promise<OpenTask[]> {
  const crib = await createCrib({ store: sqliteStore({ path: place.storeFile }) })
  const tasks = await allOf(crib.tasks())
  await crib.close()
  for (const { owner } of tasks) left.add(owner.pid!)
  return tasks
}

/** Starts the tool that waits for a file, and finds the process that runs it. */
async function leave(place: Place, ...more: string[]): Promise<{ id: string; pid: number }> {
  const { code, stdout, stderr } = await place.run(['call', 'test.gate', '--background', ...more])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const id = stdout.trim()
  expect(id).toMatch(/^inv_[0-9a-z]+$/)
  const [task] = await tasksOf(place)
  expect(task!.invocation.invocation_id).toBe(id)
  return { id, pid: task!.owner.pid! }
}

const ended = (pid: number) => expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)

describe('toolcrib call --background', () => {
  it('returns at once; the call continues, is followed to its end, and its process ends with it', async () => {
    const place = createPlace()
    const { id, pid } = await leave(place)
    const [task] = linesOf<OpenTask>(await place.run(['tasks', '--json']))
    expectRecord('tool_invocation', task!.invocation)
    expectRecord('tool_progress', task!.progress)
    expect(task!.invocation.status).toBe('running')
    const shown = (await place.run(['tasks'])).stdout
    expect(shown).toMatch(/^\S+ {2}test\.gate running for [\d.]+ m?s, process \d+$/m)
    expect(shown).toMatch(/^ +running {2}looked \d+ times, \d+ lines?$/m)

    const following = place.start(['progress', id, '--follow', '--json'])
    const followed = collect(following)
    await untilPrinted(following, /looked/)
    place.write('go', '')
    const told = linesOf<ToolProgress>(await followed)
    for (const each of told) expectRecord('tool_progress', each)
    expect(told.map(({ status }) => status).slice(0, 2)).toEqual(['backgrounded', 'started'])
    expect(told.at(-1)).toMatchObject({ status: 'completed', task_id: id, line_count: expect.any(Number) })
    await ended(pid)

    const since = String(told[2]!.sequence)
    const [all, rest, record, story, none] = await Promise.all([
      place.run(['progress', id, '--json']),
      place.run(['progress', 'last', '--since', since, '--json']),
      place.run(['show', id, '--json']),
      place.run(['show', id]),
      place.run(['tasks']),
    ])
    expect(linesOf(all)).toEqual(told)
    expect(linesOf(rest)).toEqual(told.slice(3))
    const { result } = JSON.parse(record.stdout) as { result: ToolResult }
    expect(result).toMatchObject({ status: 'succeeded', structured_content: expect.any(Object) })
    expect(story.stdout).toContain('continues in the background')
    expect(none).toMatchObject({ stdout: '', stderr: 'No call is under way.\n' })
  })

  it('--json prints the receipt', async () => {
    const place = createPlace()
    const { stdout } = await place.run(['call', 'test.gate', '-b', '--json'])
    const receipt = JSON.parse(stdout) as ToolResult
    expectRecord('tool_result', receipt)
    const id = receipt.invocation_id
    expect(receipt).toMatchObject({ is_error: false, toolcrib: { receipt: true, task_id: id } })
    const [task] = await tasksOf(place)
    place.write('go', '')
    await ended(task!.owner.pid!)
  })

  it.skipIf(process.platform !== 'linux')('the input is not visible in the process list', async () => {
    const place = createPlace()
    const { pid } = await leave(place, 'password=hunter22')
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('hunter22')
    place.write('go', '')
    await ended(pid)
  })

  it('a call that ends at once prints its result', async () => {
    const place = createPlace()
    expect(await place.run(['call', 'nothing.here', '-b'])).toMatchObject({ code: 2, stdout: '' })
    const refused = await place.run(['call', 'math.add', 'a=one', '-b'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('/a must be a number')
  })

  it('is refused if the record is in memory, or the config is wrong', async () => {
    const place = createPlace()
    const forgetful = await place.run(['call', 'test.gate', '-b', '--store', 'memory'])
    expect(forgetful).toMatchObject({ code: 2, stdout: '' })
    expect(forgetful.stderr).toContain('needs a record that outlives this command')
    place.write('toolcrib.yaml', `tools: ['${fixtures}']\nstore: { path: toolcrib.yaml }`)
    const broken = await place.run(['call', 'test.gate', '-b'])
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    expect(broken.stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a call in the background that needs approval', () => {
  const touch = ['call', 'test.touch', 'path=made', 'secret=hunter22', '--background'] as const

  it('is rejected without an approver, and runs with --yes', async () => {
    const place = createPlace()
    const { code, stdout, stderr } = await place.run([...touch])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('nobody to ask')
    expect(existsSync(`${place.folder}/made`)).toBe(false)
    expect((await place.run([...touch, '--yes'])).code).toBe(0)
    await expect.poll(() => existsSync(`${place.folder}/made`)).toBe(true)
    expect(await tasksOf(place)).toEqual([])
  })

  it('waits for the reviewers of the config', async () => {
    const place = createPlace(`tools: ['${workshop}', '${fixtures}']\napprovals:\n  reviewers: [ann]`)
    const { code, stdout, stderr } = await place.run([...touch])
    expect(code).toBe(0)
    expect(stderr).toContain('Waits for approval until')
    const [task] = await tasksOf(place)
    expect(task!.invocation).toMatchObject({ invocation_id: stdout.trim(), status: 'awaiting_approval' })
    expect(task!.progress).toMatchObject({ status: 'waiting_for_permission' })
    expect((await place.run(['approvals'])).stderr).toBe('')
    if (hasScript)
      expect(
        (await onTerminal(place, 'approvals', { typed: [[/q leave/, 'q']] })).text
          .trimEnd()
          .split('\n')
          .at(-1),
      ).toBe('Answer with: toolcrib approvals approve <id> (or reject)')
    expect((await place.run(['cancel', 'last'])).code).toBe(0)
    await ended(task!.owner.pid!)
    expect((await place.run(['show', 'last'])).stdout).toContain('canceled')
    expect(existsSync(`${place.folder}/made`)).toBe(false)
  })
})

describe('toolcrib cancel', () => {
  it('stops a call of another process, found by a part of its id', async () => {
    const place = createPlace()
    const { id, pid } = await leave(place)
    const asked = await place.run(['cancel', id.slice(-8)])
    expect(asked).toEqual({ code: 0, stdout: '', stderr: `Asked ${id} to stop.\n` })
    await ended(pid)
    const { stdout } = await place.run(['show', id, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      invocation: { status: 'canceled', cancel_requested: true, cancel_acknowledged: true },
      result: { status: 'canceled', abort_reason: 'user_interruption' },
    })
    const again = await place.run(['cancel', id, '--json'])
    expect(JSON.parse(again.stdout)).toEqual({ invocation_id: id, outcome: 'ended', status: 'canceled' })
  })

  it('also cancels a call in the foreground', async () => {
    const place = createPlace()
    const child = place.start(['call', 'test.gate', '--verbose'])
    const done = collect(child)
    await untilPrinted(child, /looked/)
    expect((await place.run(['cancel', 'last'])).code).toBe(0)
    expect(await done).toMatchObject({ code: 1, stderr: expect.stringContaining('The call was stopped') })
  })

  it('a signal to the process of a call lets a call that must not be interrupted run to its end', async () => {
    const place = createPlace()
    const { id, pid } = await leave(place)
    process.kill(pid, 'SIGTERM')
    const looksOf = async () => (await tasksOf(place))[0]?.progress?.line_count ?? 0
    const before = await looksOf()
    await expect.poll(looksOf, { timeout: 20_000 }).toBeGreaterThan(before + 20)
    place.write('go', '')
    await ended(pid)
    const { invocation } = JSON.parse((await place.run(['show', id, '--json'])).stdout)
    expect(invocation.status).toBe('succeeded')
    expect(invocation).not.toHaveProperty('cancel_requested', true)
  })

  it('a second signal cancels it', async () => {
    const place = createPlace()
    const { id, pid } = await leave(place)
    // Two signals of a kind that arrive together may be one.
    process.kill(pid, 'SIGTERM')
    process.kill(pid, 'SIGINT')
    await ended(pid)
    const { stdout } = await place.run(['show', id, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      invocation: { status: 'canceled', cancel_acknowledged: true },
      result: { abort_reason: 'user_interruption' },
    })
    expect((await place.run(['show', id])).stdout).toMatch(/ canceled$/m)
  })

  it('the first signal cancels a call that can be interrupted', async () => {
    const place = createPlace()
    const { code, stdout } = await place.run(['call', 'test.mild', '--background'])
    expect(code).toBe(0)
    const [task] = await tasksOf(place)
    process.kill(task!.owner.pid!, 'SIGTERM')
    await ended(task!.owner.pid!)
    const shown = await place.run(['show', stdout.trim(), '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({
      invocation: { status: 'canceled', cancel_acknowledged: true },
    })
  })

  it('a call whose process was killed is closed', async () => {
    const place = createPlace()
    const { id, pid } = await leave(place)
    process.kill(pid, 'SIGKILL')
    await ended(pid)
    expect(await place.run(['cancel', id])).toEqual({
      code: 0,
      stdout: '',
      stderr: `The call ${id} has ended: failed.\n`,
    })
  })
})

describe('mistakes', () => {
  it('are a sentence and exit code 2', async () => {
    const place = createPlace()
    const before = await Promise.all(
      [
        ['progress', 'last'],
        ['cancel', 'last'],
      ].map((args) => place.run(args)),
    )
    for (const { code, stderr } of before)
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('nothing was recorded yet'),
      })
    expect((await place.run(['tasks'])).stderr).toContain('Nothing was recorded yet')
    expect(existsSync(place.storeFile), 'looking leaves nothing behind').toBe(false)
    await place.run(['call', 'test.echo'])
    const wrong = [
      ['progress', 'inv_nope'],
      ['cancel', 'inv_nope'],
      ['progress', 'last', '--since', 'yesterday'],
      ['progress', 'last', '--since', '-1'],
    ]
    for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => place.run(args)))) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})
