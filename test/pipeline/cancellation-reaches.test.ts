import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { defineTool, runProcess, type Crib } from 'toolcrib'
import { toExecutionProfile } from '../../src/catalog/records/to-profiles.js'
import { collect, createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

/** The running members of a process group, without zombies. */
function membersOf(group: number): number[] {
  if (process.platform !== 'linux') return isThere(-group) ? [group] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [state, , itsGroup] = statOf(pid)
      return itsGroup === String(group) && state !== 'Z' && state !== 'X'
    })
    .map(Number)
}

/** State, parent, group and so on; empty for a process that is gone. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A shell, its child and its grandchild. Two of them start further processes, and one ignores SIGTERM. */
const TREE = `
  loop() { while :; do sleep 0.05; done; }
  loop &
  sh -c 'trap "" TERM; sh -c "echo \\$\\$ > grandchild; while :; do sleep 0.05; done" & wait' &
  while [ ! -s grandchild ]; do sleep 0.01; done
  echo $$ > started.tmp; mv started.tmp started
  wait
`

function treeTool(folder: string, more: { onStart?: () => void; timeoutMs?: number } = {}) {
  const { onStart, ...options } = more
  return defineTool({
    name: 'tree',
    description: 'Starts processes that go on for ever.',
    ...quiet,
    supports: ['cancel'],
    executionKind: 'local_process',
    execute: (_input, { signal }) => {
      const running = runProcess('sh', ['-c', TREE], { signal, cwd: folder })
      onStart?.()
      return running
    },
    ...options,
  })
}

function groupOf(folder: string): number {
  const group = Number(readFileSync(join(folder, 'started'), 'utf8'))
  // If the cancellation failed, this kills the processes that remain.
  onTestFinished(() => {
    if (membersOf(group).length > 0) process.kill(-group, 'SIGKILL')
  })
  return group
}

/** The process group of the tree, once all of it has started. */
async function startedTree(folder: string): Promise<number> {
  await until(() => existsSync(join(folder, 'started')))
  const group = groupOf(folder)
  const grandchild = Number(readFileSync(join(folder, 'grandchild'), 'utf8'))
  expect(membersOf(group)).toEqual(
    expect.arrayContaining(process.platform === 'linux' ? [group, grandchild] : [group]),
  )
  return group
}

async function recordOf(crib: Crib, invocationId: string) {
  const { invocation, result } = (await crib.story(invocationId))!
  const events = (await collect(crib.events())).filter((event) => event.invocation_id === invocationId)
  return { invocation, result, types: events.map(({ event_type: type }) => type) }
}

/** Checks the record of an acknowledged cancellation. */
async function expectAcknowledged(
  crib: Crib,
  invocationId: string,
  reason = 'user_interruption',
): Promise<void> {
  const { invocation, result, types } = await recordOf(crib, invocationId)
  expect(invocation).toMatchObject({
    status: 'canceled',
    cancel_requested: true,
    cancel_acknowledged: true,
    abort_reason: reason,
  })
  expect(invocation).not.toHaveProperty('cancel_failed')
  expect(result).toMatchObject({ status: 'canceled', is_error: true, abort_reason: reason })
  const recorded = types.filter((type) => /cancel|result/.test(type))
  expect(recorded).toEqual([
    'toolcrib.invocation.cancel_requested',
    'toolcrib.invocation.cancel_acknowledged',
    'tool.invocation.canceled',
    'tool.result.created',
  ])
}

onBothStores('[AT-PROG-08] [AR-CONC-02] [AT-PROG-03] [AT-PROG-04] cancellation reaches', (newStore) => {
  const open = (tool: ReturnType<typeof defineTool>, options: object = {}) =>
    openCrib({ store: newStore(), cancelGraceMs: 60_000, tools: [tool], ...options })

  async function start(crib: Crib, name: string) {
    expect(toExecutionProfile(crib.tool(name)!).supports_cancel).toBe(name !== 'deaf')
    // In an object, because a call is a promise and would be awaited.
    return { call: crib.call(await crib.surface({ scope: 'turn' }), { name }) }
  }

  it('a real process and all of its descendants', async () => {
    const folder = temporaryFolder()
    const crib = await open(treeTool(folder))
    const { call } = await start(crib, 'tree')
    const group = await startedTree(folder)
    call.cancel()
    expect((await call).status).toBe('canceled')
    await until(() => membersOf(group).length === 0)
    await expectAcknowledged(crib, call.invocationId)
  })

  it('a process tree after a timeout', async () => {
    const folder = temporaryFolder()
    // Blocks the event loop until the whole tree has started, so that the timeout cannot fire earlier.
    const onStart = (): void => {
      const sleeper = new Int32Array(new SharedArrayBuffer(4))
      while (!existsSync(join(folder, 'started'))) Atomics.wait(sleeper, 0, 0, 5)
    }
    const crib = await open(treeTool(folder, { onStart, timeoutMs: 1 }))
    const { call } = await start(crib, 'tree')
    expect(await call).toMatchObject({ status: 'timed_out', abort_reason: 'timeout' })
    const group = groupOf(folder)
    await until(() => membersOf(group).length === 0)
    expect((await recordOf(crib, call.invocationId)).invocation).toMatchObject({
      status: 'timed_out',
      abort_reason: 'timeout',
    })
  })

  it('a process tree when the crib closes', async () => {
    const folder = temporaryFolder()
    const crib = await open(treeTool(folder))
    const { call } = await start(crib, 'tree')
    const group = await startedTree(folder)
    const events = collect(call)
    const closed = crib.close({ graceMs: 0 })
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
    await closed
    await until(() => membersOf(group).length === 0)
    const recorded = (await events).filter(({ event_type: type }) => type.includes('cancel'))
    expect(recorded).toMatchObject([
      { event_type: 'toolcrib.invocation.cancel_requested', data: { abort_reason: 'runtime_shutdown' } },
      { event_type: 'toolcrib.invocation.cancel_acknowledged' },
      { event_type: 'tool.invocation.canceled', data: { abort_reason: 'runtime_shutdown' } },
    ])
  })

  it('a real request: the server sees its socket close', async () => {
    const asked = createGate<Socket>()
    const server = await startServer((socket) => asked.open(socket))
    const crib = await open(
      defineTool({
        name: 'fetch',
        description: 'Asks a server that never answers.',
        ...quiet,
        supports: ['cancel'],
        execute: async (_input, { signal }) => {
          const response = await fetch(server.url, { signal })
          return response.text()
        },
      }),
    )
    const { call } = await start(crib, 'fetch')
    const socket = await asked.promise
    const closed = new Promise((resolve) => socket.once('close', resolve))
    expect(socket.destroyed).toBe(false)
    call.cancel()
    expect((await call).status).toBe('canceled')
    await closed
    await expectAcknowledged(crib, call.invocationId)
  })

  it('a generator: its finally block ran before the call ended', async () => {
    const waiting = createGate()
    const steps: string[] = []
    const crib = await open(
      defineTool({
        name: 'walk',
        description: 'Walks for ever.',
        ...quiet,
        supports: ['cancel', 'progress'],
        async *execute(_input, { signal }) {
          try {
            yield 'first step'
            waiting.open()
            await new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            )
            yield 'second step'
          } finally {
            await delay(1)
            steps.push('cleaned up')
          }
          return 'arrived'
        },
      }),
    )
    const { call } = await start(crib, 'walk')
    await waiting.promise
    call.cancel()
    expect((await call).status).toBe('canceled')
    expect(steps).toEqual(['cleaned up'])
    await expectAcknowledged(crib, call.invocationId)
  })

  it('no tool that ignores its signal, so that the call ends and the late output is discarded', async () => {
    const [started, finish] = [createGate(), createGate()]
    const crib = await open(
      defineTool({
        name: 'deaf',
        description: 'Cannot be stopped.',
        ...quiet,
        async execute() {
          started.open()
          await finish.promise
          return 'after all'
        },
      }),
      { cancelGraceMs: 1 },
    )
    const { call } = await start(crib, 'deaf')
    await started.promise
    call.cancel()
    expect(await call).toMatchObject({ status: 'canceled', error: { recoverability: 'inspect_first' } })
    finish.open()
    await new Promise(setImmediate)
    const { invocation, result, types } = await recordOf(crib, call.invocationId)
    expect(invocation).toMatchObject({
      status: 'canceled',
      cancel_requested: true,
      cancel_failed: true,
      abort_reason: 'user_interruption',
    })
    expect(invocation).not.toHaveProperty('cancel_acknowledged')
    expect(result!.status).toBe('canceled')
    expect(types.filter((type) => type.includes('cancel') || type.includes('result'))).toEqual([
      'toolcrib.invocation.cancel_requested',
      'toolcrib.invocation.cancel_failed',
      'tool.invocation.canceled',
      'tool.result.created',
      'toolcrib.result.late_discarded',
    ])
  })

  it('no tool that has finished, so that its result counts', async () => {
    const crib: Crib = await open(
      defineTool({
        name: 'quick',
        description: 'Is done when it is cancelled.',
        ...quiet,
        supports: ['cancel'],
        async execute(_input, { signal }) {
          const output = await runProcess('sh', ['-c', 'echo done'], { signal })
          call.cancel()
          return output
        },
      }),
    )
    const { call } = await start(crib, 'quick')
    expect(await call).toMatchObject({
      status: 'succeeded',
      structured_content: { exit_code: 0, stdout: 'done\n' },
    })
    const { invocation } = await recordOf(crib, call.invocationId)
    expect(invocation).toMatchObject({ status: 'succeeded', cancel_requested: true })
    expect(invocation).not.toHaveProperty('cancel_acknowledged')
    expect(invocation).not.toHaveProperty('cancel_failed')
  })
})

/** A server on a free port that accepts requests and never answers them. */
async function startServer(onRequest: (socket: Socket) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((request) => onRequest(request.socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
