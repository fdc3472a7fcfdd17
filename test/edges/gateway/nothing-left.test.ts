import { spawn } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway, type RunningGateway } from '../../peers/start-gateway.mjs'
import { eventually } from '../../until.js'
import { isRunning } from '../../is-running.js'
import { connectOld, everything, misbehaving, pathOf } from './peers.js'

const SESSIONS = 200

/** The processes that a process has started, and theirs. */
function childrenOf(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  const isSocket = (name: string): boolean => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }
  return readdirSync(folder).filter(isSocket).length
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Sessions of a process that is gone afterwards. */
function comeAndGo({ url }: RunningGateway, sessions: number): Promise<void> {
  const child = spawn(
    process.execPath,
    [pathOf('test/edges/gateway/children/come-and-go.mjs'), url, String(sessions)],
    {
      stdio: 'inherit',
    },
  )
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the visitors ended with ${code}`)),
    )
  })
}

test.runIf(process.platform === 'linux')(
  `${SESSIONS} sessions that come and go leave no process, no socket and no memory`,
  async () => {
    const gateway = await startGateway({
      mcpServers: { peer: misbehaving() },
      env: { NODE_OPTIONS: '--max-semi-space-size=2' },
    })
    onTestFinished(() => gateway.stop())
    const { pid } = gateway
    const sockets = socketsOf(pid)
    await comeAndGo(gateway, SESSIONS)
    const before = { children: childrenOf(pid).length, megabytes: residentMegabytes(pid) }
    await comeAndGo(gateway, SESSIONS)
    expect(childrenOf(pid)).toHaveLength(before.children)
    // The server, and what sees to its end should the gateway be killed.
    expect(before.children).toBe(2)
    expect(await eventually(() => socketsOf(pid) <= sockets)).toBe(true)
    expect(residentMegabytes(pid) - before.megabytes).toBeLessThan(60)
  },
  300_000,
)

// Together: most of the time is what a stubborn server is granted.
test.runIf(process.platform === 'linux').concurrent.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'no child is left after %s',
  async (signal) => {
    const gateway = await startGateway({
      mcpServers: {
        plain: misbehaving(),
        stubborn: misbehaving({ MISBEHAVING_STAYS: 'yes' }),
        everything: everything(),
      },
    })
    const client = await connectOld(gateway.url)
    await client.callTool({ name: 'plain__who' })
    await client.callTool({ name: 'stubborn__who' })
    await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } })
    const children = childrenOf(gateway.pid)
    expect(children.length).toBeGreaterThanOrEqual(3)
    await client.close()
    await gateway.stop(signal)
    expect(await eventually(() => !children.some(isRunning))).toBe(true)
  },
  120_000,
)
