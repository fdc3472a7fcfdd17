// The start-up time of the command line, compared with Node doing nothing. Interleaved, so that other work on the
// machine affects all of them alike; the median, so that one outlier does not count.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureServe } from './start-up/serve-cpu.mjs'

const RUNS = Number(process.env.RUNS ?? 20)
const MAX_RATIO = 4
const SERVE_RUNS = Number(process.env.SERVE_RUNS ?? 7)
const MAX_SERVE_CPU_SECONDS = 0.6
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'bin/toolcrib.js')
const home = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))

const candidates = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'toolcrib --help', args: [bin, '--help'], isBound: true },
  { name: 'toolcrib tools', args: [bin, 'tools'], isBound: true },
  { name: 'toolcrib call math.add a=1 b=2', args: [bin, 'call', 'math.add', 'a=1', 'b=2'] },
]
const times = candidates.map(() => [])
const env = { ...process.env, TOOLCRIB_HOME: home, XDG_CONFIG_HOME: join(home, 'settings') }
writeFileSync(join(home, 'toolcrib.yaml'), `tools: ['${join(root, 'examples/workshop/tools.mjs')}']\n`)
spawnSync(process.execPath, [bin, 'trust', '--yes'], { cwd: home, env })

for (let run = -1; run < RUNS; run++) {
  candidates.forEach(({ name, args }, index) => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: home,
      env,
    })
    const took = performance.now() - start
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
    // The first round only warms the disk cache.
    if (run >= 0) times[index].push(took)
  })
}
rmSync(home, { recursive: true })

const medians = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)])
console.log(`Median of ${RUNS} interleaved runs, Node ${process.versions.node}`)
console.log(`${'command'.padEnd(32)}${'ms'.padStart(8)}${'ratio'.padStart(8)}`)
candidates.forEach(({ name, isBound }, index) => {
  const ratio = medians[index] / medians[0]
  const verdict = isBound ? (ratio <= MAX_RATIO ? '  ok' : `  over ${MAX_RATIO}`) : ''
  console.log(
    `${name.padEnd(32)}${medians[index].toFixed(1).padStart(8)}${ratio.toFixed(2).padStart(8)}${verdict}`,
  )
  if (isBound && ratio > MAX_RATIO) process.exitCode = 1
})

if (process.platform === 'linux') {
  console.log(`\nCPU seconds of the process, median of ${SERVE_RUNS} starts, before any server answers`)
  console.log(`${'command'.padEnd(40)}${'initialize'.padStart(12)}${'tools/list'.padStart(12)}`)
  for (const { name, initialize, list } of await measureServe(bin, SERVE_RUNS)) {
    const isOver = list > MAX_SERVE_CPU_SECONDS
    const verdict = isOver ? `  over ${MAX_SERVE_CPU_SECONDS}` : '  ok'
    console.log(
      `${name.padEnd(40)}${initialize.toFixed(2).padStart(12)}${list.toFixed(2).padStart(12)}${verdict}`,
    )
    if (isOver) process.exitCode = 1
  }
}
