// Runs the benchmarks one after the other, and repeats at the end what each of them promised and measured.
//
//   node bench/run.mjs [--load 2] [call gateway start-up …]
//
// `--load` starts as many processes that compute all the time, so that the figures of a busy machine stand beside those of
// a quiet one.
import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

const ALL = [
  'call',
  'batch',
  'limits',
  'rules',
  'hooks',
  'scale',
  'deferral',
  'previews',
  'blobs',
  'redaction',
  'start-up',
  'openapi',
  'tool-files',
  'builtins-files',
  'gateway',
]

const words = process.argv.slice(2)
const at = words.indexOf('--load')
const load = at === -1 ? 0 : Number(words.splice(at, 2)[1])
const unknown = words.find((name) => !ALL.includes(name))
if (unknown !== undefined || !Number.isInteger(load) || load < 0) {
  console.error(`Usage: node bench/run.mjs [--load 2] [benchmarks]; the benchmarks are ${ALL.join(', ')}.`)
  process.exit(2)
}

const busy = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
const promises = []
let failed = 0

function run(name) {
  console.log(`\n## ${name}, with a load average of ${loadavg()[0].toFixed(1)}\n`)
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
    process.stdout.write(chunk)
  })
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0) failed++
      for (const line of printed.split('\n')) if (/^[✓✗]/.test(line)) promises.push(`${line} [${name}]`)
      resolve()
    })
  })
}

try {
  for (const name of words.length > 0 ? words : ALL) await run(name)
} finally {
  for (const process of busy) process.kill('SIGKILL')
}
const state = load === 0 ? 'on the machine as it was' : `beside ${load} processes that compute all the time`
console.log(`\n## What is promised, ${state}\n\n${promises.join('\n')}`)
const held = promises.filter((line) => line.startsWith('✓')).length
console.log(`\n${held} of ${promises.length} hold.`)
process.exitCode = failed > 0 ? 1 : 0
