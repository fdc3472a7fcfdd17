// What one call and one gateway request compute and allocate, by folder and by phase. The sources run unbundled, so that
// each sample names its file. `--write` puts the tables into bench/README.md.
//
//   CALLS=200000 node bench/profile.mjs [--write]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { phases, RECORD } from './profile/attribute.mjs'
import { profileCalls } from './profile/calls.mjs'
import { profileGateway } from './profile/gateway.mjs'

const ALL_PHASES = [...phases, RECORD, 'outside the phases']
const README = fileURLToPath(new URL('README.md', import.meta.url))
const TABLES = /(<!-- tables of npm run profile -->\n)[\s\S]*?(<!-- end of the tables -->)/

const measured = { ...(await profileCalls()), ...(await profileGateway()) }
const names = Object.keys(measured)

function table(title, keys, pick) {
  const shown = keys.filter((key) => names.some((name) => pick(measured[name], 'cpu').get(key) > 0.005))
  const cell = (name, key) => {
    const { [name]: one } = measured
    const micros = pick(one, 'cpu').get(key) ?? 0
    const bytes = pick(one, 'memory').get(key) ?? 0
    return `${micros.toFixed(2)} / ${Math.round(bytes)}`
  }
  const rows = shown.map((key) => [key, ...names.map((name) => cell(name, key))])
  const total = [
    '**all**',
    ...names.map(
      (name) => `${measured[name].cpu.total.toFixed(2)} / ${Math.round(measured[name].memory.total)}`,
    ),
  ]
  return [[title, ...names], names.concat('').map(() => '---'), ...rows, total]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

const foldersOf = () => {
  const all = new Map()
  for (const name of names)
    for (const [key, value] of measured[name].cpu.byFolder) all.set(key, (all.get(key) ?? 0) + value)
  return [...all].toSorted((a, b) => b[1] - a[1]).map(([key]) => key)
}

const text = [
  'µs of CPU / bytes allocated, per call:',
  table('phase', ALL_PHASES, (one, kind) => one[kind].byPhase),
  table('folder', foldersOf(), (one, kind) => one[kind].byFolder),
].join('\n\n')
console.log(text)
if (process.argv.includes('--write')) {
  const page = readFileSync(README, 'utf8')
  writeFileSync(
    README,
    page.replace(TABLES, (_, begin, end) => `${begin}\n${text}\n\n${end}`),
  )
}

/** Phases that take more than their budget, which is for a quiet machine. */
function overBudget() {
  const budget = JSON.parse(readFileSync(new URL('profile/budget.json', import.meta.url), 'utf8'))
  return Object.entries(budget).flatMap(([name, ofPhases]) =>
    Object.entries(ofPhases).flatMap(([phase, { micros, bytes }]) => {
      const { cpu, memory } = measured[name]
      const took = cpu.byPhase.get(phase) ?? 0
      const allocated = memory.byPhase.get(phase) ?? 0
      return [
        ...(took > micros ? [`${name}, ${phase}: ${took.toFixed(2)} µs, at most ${micros}`] : []),
        ...(allocated > bytes ? [`${name}, ${phase}: ${Math.round(allocated)} bytes, at most ${bytes}`] : []),
      ]
    }),
  )
}

const over = overBudget()
console.log(
  over.length === 0 ? '\nEvery phase is within its budget.' : `\nOver the budget:\n${over.join('\n')}`,
)
process.exit(0)
