import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bin, collect, createPlace, root, type Ran } from '../edges/cli/run-cli.js'
import { until } from '../until.js'

const quickstart = join(root, 'examples/quickstart')

interface Home {
  folder: string
  /** Runs a script of the quickstart, for copies of the example in this home. */
  script(name: string, ...args: string[]): ChildProcess
  /** Runs a command in the folder of a copy. */
  toolcrib(folder: string, ...args: string[]): Promise<Ran>
}

/** A user who has never started anything. */
function createHome(): Home {
  const { folder, env: own } = createPlace('')
  // Each copy of the example stores its records itself.
  const { TOOLCRIB_HOME: _, ...env } = { ...process.env, ...own }
  const start = (cwd: string, ...args: string[]) =>
    spawn(process.execPath, args, { cwd, env: { ...env, HOME: folder, XDG_DATA_HOME: join(folder, 'data') } })
  return {
    folder,
    script: (name, ...args) =>
      start(folder, join(quickstart, name), '--folder', join(folder, 'crib'), ...args),
    toolcrib(cwd, ...args) {
      const child = start(cwd, bin, ...args)
      child.stdin!.end()
      return collect(child)
    },
  }
}

interface Started {
  /** The copy of the example. */
  folder: string
  url: string
  stop(): Promise<Ran>
}

/** "npm start", on a free port. Tests of other processes may have the ports of the shop: then the folder has another name. */
async function start(home: Home, known: readonly string[] = []): Promise<Started> {
  const child = home.script('start.mjs', '--port', '0')
  const ended = collect(child)
  onTestFinished(() => void child.kill('SIGTERM'))
  const started = () => runningIn(home).find((each) => !known.includes(each))
  await until(() => started() !== undefined || child.exitCode !== null, 'the quickstart is served')
  const folder = started() ?? expect.fail((await ended).stderr)
  const { url } = JSON.parse(readFileSync(join(folder, '.running.json'), 'utf8')) as { url: string }
  return {
    folder,
    url,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function runningIn({ folder }: Home): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((each) => existsSync(join(each, '.running.json')))
}

/** Processes that work in a folder, where the system tells. */
function processesIn(folder: string): string[] {
  const ids = existsSync('/proc') ? readdirSync('/proc') : []
  return ids.filter((id) => {
    try {
      return readlinkSync(`/proc/${id}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

it('npm start opens the example, twice if need be, and ends all that it started', async () => {
  const home = createHome()
  const first = await start(home)
  const second = await start(home, [first.folder])
  expect(second.folder).not.toBe(first.folder)
  for (const { folder, url } of [first, second]) {
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    const { stdout } = await home.toolcrib(folder, 'servers', '--json')
    const sources = JSON.parse(stdout) as { name: string; state: string }[]
    expect(sources.map(({ name, state }) => `${name}: ${state}`).sort()).toEqual([
      'artifacts: ready',
      'code: ready',
      'desk: ready',
      'files: ready',
      'policy: ready',
      'shell: ready',
      'shop: ready',
      'stock: ready',
    ])
  }
  for (const { stop } of [first, second]) expect((await stop()).code).toBe(0)
  expect(runningIn(home)).toEqual([])
  expect(processesIn(home.folder)).toEqual([])
})

it('a copy of the example keeps its changes until the example changes', async () => {
  const home = createHome()
  const first = await start(home)
  await first.stop()
  const note = join(first.folder, 'workspace/notes/new.md')
  writeFileSync(note, 'kept\n')
  writeFileSync(
    join(first.folder, 'toolcrib.yaml'),
    `${readFileSync(join(first.folder, 'toolcrib.yaml'), 'utf8')}# mine\n`,
  )
  const second = await start(home)
  const { stderr } = await second.stop()
  expect(existsSync(note)).toBe(true)
  // Only what was copied is trusted without a question.
  expect(stderr).toContain('toolcrib trust')
})

interface Summary {
  invocation_id: string
  tool_id: string
  requested_name?: string
  status: string
  result_status?: string
  error_class?: string
  parent_invocation_id?: string
  batch_id?: string
  approval_id?: string
  actor?: string
}

interface Story {
  result?: { persisted_payload_ref?: { size_bytes: number } }
  progress: unknown[]
  inputs: unknown[]
  approvals: { answer?: { by: string; approved: boolean } }[]
}

it(
  'the demo works through its task, and the record shows every state of it',
  { timeout: 60_000 },
  async () => {
    const home = createHome()
    const { folder, url, stop } = await start(home)
    const demo = await collect(home.script('demo.mjs', '--fast', '--answer'))
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining('Done. Every call is in') })

    const created = await home.toolcrib(folder, 'tokens', 'create', 'test', '--role', 'auditor', '--json')
    const { token } = JSON.parse(created.stdout) as { token: string }
    const ask = (path: string) =>
      fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    const get = async (path: string): Promise<unknown> => (await ask(path)).json()
    await until(async () => (await ask('/session')).ok, 'the server sees the new token in its store')
    const { items } = (await get('/invocations?limit=100')) as { items: Summary[] }
    const of = (tool: string) => items.filter(({ tool_id: id }) => id === tool)
    const story = ({ invocation_id: id }: Summary) => get(`/invocations/${id}/story`) as Promise<Story>

    expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set(['demo-agent']))
    expect(items.filter(({ error_class: why }) => why === 'permission_denied')).toHaveLength(3)
    expect(of('aml.desk.shipping-quote')[0]).toMatchObject({ result_status: 'succeeded' })
    const batch = items.filter(({ batch_id: id }) => id !== undefined)
    expect(batch.map(({ tool_id: id }) => id)).toEqual(Array(3).fill('api.shop.getOrder'))
    const code = items.find(({ requested_name: name }) => name === 'code.run')
    expect(items.filter(({ parent_invocation_id: id }) => id === code!.invocation_id)).toHaveLength(4)
    const large = await story(of('api.shop.exportOrders')[0]!)
    expect(large.result?.persisted_payload_ref?.size_bytes).toBeGreaterThan(100_000)
    expect(of('mcp.stock.count_shelves').map(({ status }) => status)).toEqual(['canceled', 'succeeded'])
    expect((await story(of('mcp.stock.count_shelves')[1]!)).progress.length).toBeGreaterThan(0)
    const refund = await story(of('api.shop.refundOrder')[0]!)
    expect(refund.approvals).toMatchObject([{ answer: { by: 'demo-reviewer', approved: true } }])
    expect(refund.inputs).toMatchObject([{ body: { amount: 356 } }, { body: { amount: 89 } }])
    expect(of('aml.desk.ask-the-owner')[0]).toMatchObject({ result_status: 'succeeded' })

    // What the demo was lent is taken back.
    const { stdout: tokens } = await home.toolcrib(folder, 'tokens', '--json')
    expect((JSON.parse(tokens) as { name: string }[]).map(({ name }) => name)).toEqual(['test'])

    const left = collect(home.script('demo.mjs', '--fast'))
    await until(async () => {
      const { items: waiting } = (await get('/approvals?status=pending')) as { items: unknown[] }
      return waiting.length === 2
    }, 'the next demo waits for answers')
    await stop()
    expect(await left).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The server has ended, and the demo with it.'),
      stderr: '',
    })
    expect(processesIn(home.folder)).toEqual([])
  },
)
