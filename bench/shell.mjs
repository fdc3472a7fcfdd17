// How many read-only commands are proven, in a clean and trusted folder and without a check of folders, whether any
// other command ever is, and the cost compared with the bare parser. Both take turns at a few commands at a time, so
// that a noisy machine affects both; figures are medians over rounds, one for each few commands, added up.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { forEachChild, parse } from 'unbash'
import { readCommand } from '../dist/shell/read-command.js'

// Measured is the whole analysis, both readers, as a call gets it. The folder has a clean repository and is trusted:
// the disk accesses for that check are not part of it.
const folders = { gitProblem: () => undefined, isTrusted: () => true }
const place = { cwd: '/work/project', home: '/home/user', folders }
const blindPlace = { cwd: '/work/project', home: '/home/user' }
const isReadOnly = (text) => readCommand(text, place).is_read_only
const isBlindlyReadOnly = (text) => readCommand(text, blindPlace).is_read_only

const ROUNDS = Number(process.env.ROUNDS ?? 100)
// Enough that rarely used functions are compiled too: the analysis has many more functions than the parser.
const WARM_UP = 150
// So few that a turn is seldom interrupted; otherwise interruptions would penalize the slower contender more.
const TURN = 64
const MAX_RATIO = 3

const { values: options } = parseArgs({ options: { file: { type: 'string' }, json: { type: 'boolean' } } })
const file =
  options.file ?? fileURLToPath(new URL('../../shared/data/shell/labelled-commands.jsonl', import.meta.url))
if (!existsSync(file)) {
  console.error(`There is no labelled set at ${file}; name one with: npm run bench:shell -- --file <jsonl>`)
  process.exit(1)
}

const readLines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
const lines = readLines(file)
const disputed = new Set(
  readLines(new URL('disputed-commands.jsonl', import.meta.url)).map(({ command }) => command),
)

/** How the commands are labelled, and which are proven. */
function judgeAll() {
  const labels = {}
  const found = { readonly: 0, proven: 0, provenBlindly: 0, wrong: [], disputed: [] }
  for (const { command, label } of lines) {
    labels[label] = (labels[label] ?? 0) + 1
    const isProven = isReadOnly(command)
    if (label === 'readonly') {
      found.readonly++
      if (isProven) found.proven++
      if (isBlindlyReadOnly(command)) found.provenBlindly++
    } else if (isProven) (disputed.has(command) ? found.disputed : found.wrong).push(command)
  }
  return { labels, ...found }
}

function parseOnly(text) {
  try {
    parse(text)
  } catch {
    // A command that cannot be parsed costs time too.
  }
}

/** Visits every part of every word, and the scripts in them. The parser parses them lazily. */
function visit(node) {
  forEachChild(node, visit)
}

function parseAll(text) {
  try {
    visit(parse(text))
  } catch {
    // The same.
  }
}

/** The cost of one command in microseconds, for each contender. */
function measure(contenders) {
  const turns = []
  for (let start = 0; start < lines.length; start += TURN)
    turns.push(lines.slice(start, start + TURN).map(({ command }) => command))
  const totals = Object.fromEntries(Object.keys(contenders).map((name) => [name, turns.map(() => [])]))
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    turns.forEach((commands, turn) => {
      for (const [name, work] of Object.entries(contenders)) {
        const start = performance.now()
        for (const command of commands) work(command)
        if (round >= WARM_UP) totals[name][turn].push((performance.now() - start) * 1000)
      }
    })
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  const sum = (lists) => lists.reduce((total, values) => total + median(values), 0)
  return Object.fromEntries(Object.entries(totals).map(([name, lists]) => [name, sum(lists) / lines.length]))
}

const judged = judgeAll()
const cost = measure({ parser: parseOnly, reading: isReadOnly })
const ratio = cost.reading / cost.parser
// Separately, since a third contender would cool the caches for the one after it.
const completeCost = measure({ parser: parseAll, reading: isReadOnly })
const completeRatio = completeCost.reading / completeCost.parser
const shareOf = (count) => (judged.readonly === 0 ? 0 : (100 * count) / judged.readonly)
const share = shareOf(judged.proven)
const blindShare = shareOf(judged.provenBlindly)

if (options.json) {
  console.log(
    JSON.stringify(
      {
        file,
        ...judged,
        provenPercent: share,
        provenBlindlyPercent: blindShare,
        costMicros: cost,
        ratio,
        completeCostMicros: completeCost,
        completeRatio,
      },
      null,
      2,
    ),
  )
} else {
  const counts = Object.entries(judged.labels).map(([label, count]) => `${label} ${count}`)
  console.log(`${lines.length} commands: ${counts.join(', ')}`)
  console.log(`readonly and proven: ${judged.proven} of ${judged.readonly} (${share.toFixed(1)} %)`)
  console.log(
    `readonly and proven where nobody looks at folders: ${judged.provenBlindly} (${blindShare.toFixed(1)} %)`,
  )
  console.log(`not readonly, yet proven: ${judged.wrong.length}`)
  for (const command of judged.wrong) console.log(`  ${JSON.stringify(command)}`)
  console.log(`disputed, see bench/disputed-commands.jsonl: ${judged.disputed.length}`)
  console.log(
    `one command, µs: parser ${cost.parser.toFixed(2)}, reading ${cost.reading.toFixed(2)}, ratio ${ratio.toFixed(2)}` +
      ` (${ROUNDS} rounds; at most ${MAX_RATIO})`,
  )
  console.log(
    `with all that the parser puts off, µs: parser ${completeCost.parser.toFixed(2)}, reading ${completeCost.reading.toFixed(2)}, ratio ${completeRatio.toFixed(2)}`,
  )
}
if (judged.wrong.length > 0 || ratio > MAX_RATIO) process.exitCode = 1
