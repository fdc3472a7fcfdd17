// The cost of checking that an output is small enough, which every call pays, and of drawing a preview of a longer one.
import { detectKind } from '../dist/results/previews/detection/detect-kind.js'
import { previewOf } from '../dist/results/previews/preview-of.js'
import { sampleOf } from '../dist/results/previews/samples/create-sampler.js'
import { loadTokenCounter } from '../dist/platform/tokens/count-tokens.js'
import { exceeds } from '../dist/results/previews/sizes/exceeds.js'

const MEGABYTE = 1_000_000
const ROUNDS = Number(process.env.ROUNDS ?? 15)

function median(run) {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return times.toSorted((a, b) => a - b)[ROUNDS >> 1]
}

function untilLong(lineOf) {
  let text = ''
  for (let index = 0; text.length < MEGABYTE; index++) text += lineOf(index)
  return text
}

const say = (name, ms) =>
  console.log(`${name.padEnd(58)} ${ms < 0.1 ? `${(ms * 1000).toFixed(3)} µs` : `${ms.toFixed(1)} ms`}`)

const CHECKS = 200_000
const kilobyte = Array.from(
  { length: 20 },
  (_, index) => `line ${index} of what a tool has said, as tools do`,
)
  .join('\n')
  .padEnd(1024, '.')
for (const limits of [
  { maxChars: 50_000, maxLines: 2000 },
  { maxChars: 50_000, maxLines: 500 },
  { maxChars: 50_000, maxLines: 2000, maxTokens: 12_000 },
]) {
  let exceeded = 0
  const ms = median(() => {
    for (let index = 0; index < CHECKS; index++) if (exceeds(kilobyte, limits)) exceeded++
  })
  if (exceeded > 0) throw new Error('1 KB must be within the limits.')
  say(`1 KB within ${JSON.stringify(limits)}`, ms / CHECKS)
}

const log = untilLong((index) =>
  index % 500 === 7
    ? `2026-03-02T10:36:50Z ERROR payment ${index} not stored\n    at store (/srv/a.js:1:2)\n`
    : `2026-03-02T10:00:00Z INFO request ${index} served in ${index % 97} ms by worker ${index % 8}\n`,
)
const json = JSON.stringify(
  Array.from({ length: 4400 }, (_, id) => ({
    id,
    name: `User ${id}`,
    roles: ['reader', 'writer'],
    address: { city: 'Bern', place: { lat: 46.9, lng: 7.4 } },
    about: 'about this person '.repeat(6),
  })),
)
const limits = { maxChars: 20_000, maxLines: 400 }
for (const [name, text] of Object.entries({ log, json })) {
  const sample = sampleOf(text)
  const kind = detectKind(sample)
  say(
    `sample of 1 MB of ${name}`,
    median(() => sampleOf(text)),
  )
  say(
    `its kind (${kind})`,
    median(() => detectKind(sample)),
  )
  say(
    'its preview',
    median(() => previewOf(sample, { kind, limits })),
  )
}

const countTokens = await loadTokenCounter()
say(
  'tokens of 1 MB of log',
  median(() => countTokens(log)),
)
say(
  'tokens of 1 MB of log, up to 12,000',
  median(() => countTokens(log, 12_000)),
)
say(
  'tokens of a million letters without a space',
  median(() => countTokens('a'.repeat(MEGABYTE))),
)
