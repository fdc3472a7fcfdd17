// How much the engine hides of texts that it was not tuned to: drawn from a description of shapes, names, values,
// encodings and repetitions. `MISSES=seen` prints what the seen half let through; the held half is only counted.
import { createRedactor } from 'toolcrib/redaction'
import { cleanTexts } from './strange/clean-texts.mjs'
import { isExposed, strangeCorpus } from './strange/corpus.mjs'

const SIZE = Number(process.env.SIZE ?? 6000)
const SEED = Number(process.env.SEED ?? 20_251)
const MIN_HIDDEN = 85
const MOST_TOUCHED = 5

const redactor = createRedactor({ patterns: true })
let isGood = true

function report(line, isMet) {
  console.log(`${line}${isMet ? '' : '  << misses the bound'}`)
  if (!isMet) isGood = false
}

console.log('Texts of which nothing secret is left')
for (const half of ['seen', 'held']) {
  const corpus = strangeCorpus({ seed: SEED, size: SIZE, half })
  const missed = corpus.filter(({ text, hidden }) => {
    const output = redactor.text(text)
    return hidden.some((secret) => isExposed(output, secret))
  })
  const share = 100 - (100 * missed.length) / corpus.length
  report(
    `  ${half.padEnd(10)} ${corpus.length - missed.length} of ${corpus.length}  ${share.toFixed(1)} %`,
    share >= MIN_HIDDEN,
  )
  if (process.env.MISSES === half) printMisses(missed, corpus)
}

function printMisses(missed, corpus) {
  const counts = new Map()
  for (const one of corpus) counts.set(one.class, { all: (counts.get(one.class)?.all ?? 0) + 1, missed: [] })
  for (const one of missed) counts.get(one.class).missed.push(one)
  const worst = [...counts].filter(([, { missed }]) => missed.length > 0)
  worst.sort(([, a], [, b]) => b.missed.length - a.missed.length)
  for (const [name, { all, missed }] of worst) {
    const kinds = [...new Set(missed.map(({ kind }) => kind))].join(' ')
    console.log(`    ${String(missed.length).padStart(4)} of ${String(all).padStart(4)}  ${name}  (${kinds})`)
    if (process.env.SHOW)
      console.log(`              ${JSON.stringify(redactor.text(missed[0].text).slice(0, 240))}`)
  }
}

const clean = cleanTexts(2500)
const touched = clean.filter(({ text }) => redactor.text(text) !== text)
report(`\nClean texts touched: ${touched.length} of ${clean.length}`, touched.length <= MOST_TOUCHED)
if (process.env.TOUCHED)
  for (const { from, text } of touched) {
    const output = redactor.text(text)
    const at = output.indexOf('[redacted')
    console.log(`    ${from}: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 60))}`)
  }
if (!isGood) process.exitCode = 1
