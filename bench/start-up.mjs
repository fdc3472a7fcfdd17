// The start-up time of the command line and of the gateway, compared with Node doing nothing. Interleaved, so that other work on the
// machine affects all of them alike; the median, so that one outlier does not count.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureServe, timeToInitialize } from './start-up/serve-cpu.mjs'

const RUNS = Number(process.env.RUNS ?? 20)
const SERVE_RUNS = Number(process.env.SERVE_RUNS ?? 7)
const MAX_SERVE_CPU_SECONDS = 0.6
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'bin/toolcrib.js')
const home = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))

const candidates = [
  { name: 'node -e 0', measure: () => timeOf(['-e', '0']) },
  { name: 'toolcrib --help', most: 1.3, measure: () => timeOf([bin, '--help']) },
  { name: 'toolcrib tools', most: 3, measure: () => timeOf([bin, 'tools']) },
  {
    name: 'toolcrib call math.add a=1 b=2',
    most: 5,
    measure: () => timeOf([bin, 'call', 'math.add', 'a=1', 'b=2']),
  },
  {
    name: 'toolcrib serve --stdio, to initialize',
    most: 6,
    measure: () => timeToInitialize(bin, { folder: home, env }),
  },
]
const times = candidates.map(() => [])
const env = { ...process.env, TOOLCRIB_HOME: home, XDG_CONFIG_HOME: join(home, 'settings') }
writeFileSync(join(home, 'toolcrib.yaml'), `tools: ['${join(root, 'examples/workshop/tools.mjs')}']\n`)
spawnSync(process.execPath, [bin, 'trust', '--yes'], { cwd: home, env })

for (let run = -1; run < RUNS; run++) {
  for (const [index, { measure }] of candidates.entries()) {
    const took = await measure()
    // The first round only warms the disk cache.
    if (run >= 0) times[index].push(took)
  }
}
rmSync(home, { recursive: true })

const medians = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)])
const promises = []
console.log(`Median of ${RUNS} interleaved runs, Node ${process.versions.node}`)
console.log(`${'command'.padEnd(40)}${'ms'.padStart(8)}${'ratio'.padStart(8)}`)
candidates.forEach(({ name, most }, index) => {
  const ratio = medians[index] / medians[0]
  console.log(`${name.padEnd(40)}${medians[index].toFixed(1).padStart(8)}${ratio.toFixed(2).padStart(8)}`)
  if (most !== undefined)
    promises.push([ratio <= most, `${name}: ${ratio.toFixed(2)} times node -e 0, at most ${most}`])
})

if (process.platform === 'linux') {
  console.log(`\nCPU seconds of the process, median of ${SERVE_RUNS} starts, before any server answers`)
  console.log(`${'command'.padEnd(40)}${'initialize'.padStart(12)}${'tools/list'.padStart(12)}`)
  for (const { name, initialize, list } of await measureServe(bin, SERVE_RUNS)) {
    console.log(`${name.padEnd(40)}${initialize.toFixed(2).padStart(12)}${list.toFixed(2).padStart(12)}`)
    promises.push([
      list <= MAX_SERVE_CPU_SECONDS,
      `${name}, to tools/list: ${list.toFixed(2)} s of CPU, at most ${MAX_SERVE_CPU_SECONDS}`,
    ])
  }
}
console.log('')
for (const [holds, promise] of promises) console.log(`${holds ? '✓' : '✗'} ${promise}`)

/** Milliseconds on the clock until the program has ended. */
function timeOf(args) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  return performance.now() - start
}
