// What the sandbox adds to a command: the same command with `bash -c`, in the sandbox alone, and through `shell.exec` with
// and without it. The variants take turns, so that a noisy machine affects all of them; figures are medians.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, memoryStore } from '../lib/index.js'
import { builtinSource } from '../lib/builtins.js'
import { runCommand } from '../dist/platform/processes/run-command.js'
import { findSandbox } from '../dist/platform/sandbox/find-sandbox.js'

const ROUNDS = Number(process.env.ROUNDS ?? 60)
const MAX_ADDED_MS = 25
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const { sandbox, problem } = await findSandbox()
if (!sandbox) {
  console.error(`There is no sandbox here: ${problem}`)
  process.exit(1)
}

const env = { PATH: process.env.PATH, HOME: process.env.HOME }
const program = { command: 'bash', args: ['-c', 'touch x'] }
const limits = { stdin: '', signal: new AbortController().signal, maxOutputBytes: 1e6 }
const profile = {
  name: 'bench',
  cwd: folder,
  writable: [folder],
  readOnly: [join(folder, 'toolcrib.yaml')],
  hidden: [],
  network: 'none',
  env,
  limits: { processes: 2048 },
}

async function open(policy) {
  const crib = await createCrib({
    store: memoryStore(),
    decider: () => ({ behavior: 'allow' }),
    sources: [builtinSource('shell', { sandbox: policy }, { folder })],
  })
  const surface = await crib.surface()
  return { crib, exec: () => crib.call(surface, { name: 'tool_shell_exec', input: { command: 'touch x' } }) }
}
const off = await open('off')
const required = await open('required')

const variants = {
  'bash -c': () => runCommand({ ...program, cwd: folder, env, ...limits }),
  'bash -c in the sandbox': async () => {
    const prepared = await sandbox.prepare(program, profile)
    await runCommand({ ...prepared, ...limits })
    await prepared.dispose()
  },
  'shell.exec, sandbox off': off.exec,
  'shell.exec, sandbox required': required.exec,
}
const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
for (let round = -5; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(variants)) {
    const from = performance.now()
    await run()
    if (round >= 0) times[name].push(performance.now() - from)
  }
const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]
for (const [name, list] of Object.entries(times))
  console.log(`${name.padEnd(30)} ${median(list).toFixed(1)} ms`)
const added = median(times['shell.exec, sandbox required']) - median(times['shell.exec, sandbox off'])
console.log(`load of the machine            ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`)
console.log(`the sandbox adds               ${added.toFixed(1)} ms (at most ${MAX_ADDED_MS})`)
await off.crib.close()
await required.crib.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = added > MAX_ADDED_MS ? 1 : 0
