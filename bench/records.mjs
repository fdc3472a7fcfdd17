// 100,000 recorded calls: how long it takes to delete half of them, to back them up and to restore them, how long other work
// waits at most meanwhile, and the size of the file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

if (process.argv.length > 2) {
  await runCommand(...process.argv.slice(2))
  process.exit()
}

const COUNT = Number(process.env.CALLS ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const path = join(folder, 'crib.db')
const megabytes = () => (statSync(path).size / 1e6).toFixed(0)
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1)

const find = defineTool({
  name: 'find',
  description: 'Finds lines.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: ({ query }) => `${query}: ${'a line that was found '.repeat(20)}`,
})

try {
  let now = Date.now() - 86_400_000
  const crib = await createCrib({ store: sqliteStore({ path }), tools: [find], clock: () => now })
  const surface = await crib.surface({ scope: 'session', session: 's' })
  let start = performance.now()
  for (let index = 0; index < COUNT; index++) {
    await crib.call(surface, { name: 'find', input: { query: `number ${index}` } })
    if (index % 100 === 0) await new Promise(setImmediate)
    now += 10
  }
  await crib.flush()
  console.log(`${COUNT} calls recorded in ${seconds(start)} s, ${megabytes()} MB`)

  const before = now - COUNT * 5
  start = performance.now()
  const { deleted: found } = await crib.deleteRecords({ before, by: 'bench', dryRun: true })
  console.log(`${found} found in ${seconds(start)} s`)

  const { deleted, surfaces } = await watched('deleting half of them', () =>
    crib.deleteRecords({ before, by: 'bench' }),
  )
  console.log(`${deleted} calls and ${surfaces} surfaces deleted; ${megabytes()} MB`)

  start = performance.now()
  await crib.deleteRecords({ before, by: 'bench' })
  console.log(`nothing left to delete: found out in ${seconds(start)} s`)

  for (let index = 0; index < COUNT / 2; index++) {
    await crib.call(surface, { name: 'find', input: { query: `again ${index}` } })
    if (index % 100 === 0) await new Promise(setImmediate)
  }
  await crib.flush()
  console.log(`${COUNT / 2} more calls: ${megabytes()} MB, so the space is used again`)

  // Other processes, while this one goes on calling.
  const backup = join(folder, 'backup')
  await whileCalling(crib, surface, 'a backup', () => command('backup', backup, path))
  const other = join(folder, 'other.db')
  const target = await createCrib({ store: sqliteStore({ path: other }), tools: [find] })
  const targetSurface = await target.surface({ scope: 'session', session: 'target' })
  await whileCalling(target, targetSurface, 'a restore', () => command('restore', backup, other))
  await target.close()
  await crib.close()
  start = performance.now()
  await command('restore', backup, join(folder, 'new.db'))
  console.log(`a restore into a new store: ${seconds(start)} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Measures how long a timer has to wait at most, and how much CPU time of this process that is on a busy machine. */
async function watched(what, work) {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  let busy = 0
  let lastCpu = cpuMs()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let late = 0
  let last = performance.now()
  const ticking = setInterval(() => {
    late = Math.max(late, performance.now() - last - 1)
    last = performance.now()
    busy = Math.max(busy, cpuMs() - lastCpu)
    lastCpu = cpuMs()
  }, 1)
  delay.enable()
  const start = performance.now()
  const outcome = await work()
  delay.disable()
  clearInterval(ticking)
  const usual = (delay.percentile(99) / 1e6).toFixed(0)
  console.log(
    `${what}: ${seconds(start)} s; a timer waited ${late.toFixed(0)} ms at most (${busy.toFixed(0)} ms of CPU), in 99% of cases ${usual} ms or less`,
  )
  return outcome
}

async function whileCalling(crib, surface, what, work) {
  let isOver = false
  let made = 0
  const calling = (async () => {
    while (!isOver) {
      await crib.call(surface, { name: 'find', input: { query: `while ${made++}` } })
      if (made % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  await watched(`${what} by another process, with ${COUNT} calls`, work)
  isOver = true
  await calling
  console.log(`  ${made} calls were made meanwhile`)
}

/** Runs in a process of its own. The command line refuses this here, for this process has run tools. */
async function command(name, backup, store) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), name, backup, store], {
    cwd: folder,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`toolcrib ${name} ended with ${code}`)
}

async function runCommand(name, backup, given) {
  const { recordPlaceOf } = await import('../dist/host/backups/record-place.js')
  const place = recordPlaceOf({ config: {} }, given)
  if (name === 'backup') {
    const { createBackup } = await import('../dist/host/backups/create-backup.js')
    await place.store.open()
    await createBackup(place, backup)
  } else {
    const { restoreBackup } = await import('../dist/host/backups/restore-backup.js')
    await restoreBackup(place, backup)
  }
  await place.store.close()
}
