// npm start: a copy of this example, the shop that its tools call, and "toolcrib serve". Ctrl-C ends all of it.
//   --folder <path>   where the copy is (default: ./quickstart)
//   --quiet           without the log of calls
//   --port <number>   where the console and MCP are, or the next free port (default: 4747)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openCrib, toolcrib } from './open-crib.mjs'
import { announce, untilReady } from './running-crib.mjs'

const { values: given } = parseArgs({
  options: {
    folder: { type: 'string', default: 'quickstart' },
    port: { type: 'string', default: '4747' },
    quiet: { type: 'boolean', default: false },
  },
})
const { folder, shop } = await openCrib({ folder: resolve(given.folder) })
const port = String(await freePort(Number(given.port)))
if (port !== given.port) console.error(`Port ${given.port} is in use, so this one is at port ${port}.`)
if (folder !== resolve(given.folder))
  console.error(`Another one is running: this is a second crib, in ${relative('.', folder)}.`)

const quiet = given.quiet ? ['--quiet'] : []
const served = spawn(process.execPath, [toolcrib, 'serve', '--port', port, ...quiet], {
  cwd: folder,
  stdio: 'inherit',
})
// A terminal sends Ctrl-C to both processes: the gateway decides when it ends.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => served.kill(signal))
const ended = new AbortController()
const exit = once(served, 'exit').finally(() => ended.abort())
const takeBack = await announceWhenReady(ended.signal)
const [code] = await exit
takeBack?.()
await shop.close()
process.exitCode = code ?? 1

async function announceWhenReady(signal) {
  if (!(await untilReady(`http://127.0.0.1:${port}`, signal))) return undefined
  if (!given.quiet)
    console.error(`
Try it, in a second terminal:
  # An agent works, and the console shows it:
  npm run demo${folder === resolve('quickstart') ? '' : ` -- --folder ${relative('.', folder)}`}
  # What agents can use:
  cd ${relative('.', folder)} && npx toolcrib tools`)
  return announce(folder, port)
}

async function freePort(first) {
  for (let candidate = first; ; candidate++) {
    const probe = createServer()
    try {
      await once(probe.listen(candidate, '127.0.0.1'), 'listening')
      return probe.address().port
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error
    } finally {
      probe.close()
    }
  }
}
