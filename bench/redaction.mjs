// How many secrets are found, how often something else is masked, and the cost compared with one regular expression
// over the same text. Both take turns, so that a noisy machine affects both; figures are the best of many rounds.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRedactor, findSecrets } from 'toolcrib/redaction'
import { measureRecall, publishedFormats, secretlintFixtures } from '../test/redaction/secret-fixtures.mjs'
import { openredactionFixtures } from './openredaction-fixtures.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 40)
const MIN_RECALL = 90
const MAX_MASKS = 1
const MIN_RATIO = 0.25

const root = fileURLToPath(new URL('..', import.meta.url))
const percent = (part, whole) => (100 * part) / whole
let isGood = true

function report(line, isMet) {
  console.log(`${line}${isMet ? '' : '  << misses the bound'}`)
  if (!isMet) isGood = false
}

console.log('Secrets that are covered from their first to their last character')
const sets = {
  'published formats': publishedFormats(1),
  secretlint: await secretlintFixtures(1),
  openredaction: openredactionFixtures(1),
}
for (const [name, fixtures] of Object.entries(sets)) {
  const { covered, total } = measureRecall(fixtures, findSecrets)
  const share = percent(covered, total)
  report(`  ${name.padEnd(34)} ${covered} of ${total}  ${share.toFixed(1)} %`, share >= MIN_RECALL)
}

function textsBelow(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

const code = ['src', 'examples', 'scripts', 'node_modules'].flatMap((folder) =>
  textsBelow(folder, /\.(?:[cm]?[jt]s)$/),
)
const docs = ['docs', 'schemas', 'node_modules'].flatMap((folder) =>
  textsBelow(folder, /\.(?:md|json|yaml)$/),
)

console.log('\nFalse masks for each 100 KB')
for (const [name, texts] of Object.entries({ 'source code': code, documentation: docs })) {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const masks = texts.reduce((sum, text) => sum + (findSecrets(text)?.length ?? 0), 0)
  const rate = (masks / length) * 100_000
  report(
    `  ${name.padEnd(34)} ${masks} in ${(length / 1e6).toFixed(1)} MB  ${rate.toFixed(3)}`,
    rate < MAX_MASKS,
  )
}

const redactor = createRedactor({ patterns: true })
/** A flat copy, like a text that was just read. */
const flat = (text) => Buffer.from(text).toString()
const large = flat(
  ['src', 'docs', 'examples'].flatMap((folder) => textsBelow(folder, /\.(?:ts|md|mjs)$/)).join('\n'),
)
const kilobytes = []
for (let at = 0; at + 1024 < large.length; at += 4096) {
  const text = flat(large.slice(at, at + 1024).replace(/[^\0-\x7f]/g, '-'))
  if (findSecrets(text) === undefined) kilobytes.push(text)
}

// A scanner of one expression, as small as possible while it still finds what leaks most.
const single =
  /\b(?:AKIA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36}|sk_live_[A-Za-z0-9]{24}|xox[baprs]-[A-Za-z0-9-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----)|(?:password|secret|token|api_?key)["']?\s*[:=]\s*["']?[A-Za-z0-9_/+=-]{8,}/gi
const scanOnce = (text) => {
  single.lastIndex = 0
  let count = 0
  while (single.exec(text) !== null) count++
  return count
}

function bestOf(contenders) {
  const best = Object.fromEntries(Object.keys(contenders).map((name) => [name, Infinity]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(contenders)) {
      const start = process.hrtime.bigint()
      run()
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - start))
    }
  return best
}

console.log(`\nThroughput, ${(large.length / 1e6).toFixed(1)} MB of this repository`)
const throughput = bestOf({ engine: () => redactor.text(large), single: () => scanOnce(large) })
const speed = (nanoseconds) => (large.length / nanoseconds) * 1000
console.log(`  engine                             ${speed(throughput.engine).toFixed(0)} MB/s`)
console.log(`  one regular expression             ${speed(throughput.single).toFixed(0)} MB/s`)
const ratio = throughput.single / throughput.engine
report(`  ratio                              ${ratio.toFixed(2)}`, ratio >= MIN_RATIO)

const small = bestOf({
  engine: () => kilobytes.forEach((text) => redactor.text(text)),
  single: () => kilobytes.forEach(scanOnce),
})
const micros = (nanoseconds) => (nanoseconds / kilobytes.length / 1000).toFixed(2)
console.log(
  `\nA text of 1 KB without secrets: ${micros(small.engine)} µs (one regular expression: ${micros(small.single)} µs)`,
)
if (!isGood) process.exitCode = 1
