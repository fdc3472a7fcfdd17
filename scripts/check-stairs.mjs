// Imports go down the stairs only, rooms of one floor form no cycle, and the contract imports nothing of ours.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = resolve(dirname(fileURLToPath(import.meta.url)), '../src')
const floors = ['foundation', 'judgement', 'supply', 'calls', 'runtime', 'edges']

/** Floor and room of a file: `calls/pipeline`. Files at the top of a floor, or of `src`, are rooms of their own. */
function roomOf(file) {
  const [floor, room] = relative(src, file).split('/')
  return { floor, room: room?.endsWith('.ts') ? floor : `${floor}/${room}` }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

const importPattern = /(?:from\s+|import\s*\(\s*|import\s+)['"](\.{1,2}\/[^'"]+)['"]/g
const problems = []
const edges = new Map()

for (const file of filesBelow(src)) {
  for (const [, target] of readFileSync(file, 'utf8').matchAll(importPattern)) {
    const to = resolve(dirname(file), target.replace(/\.js$/, '.ts'))
    const [a, b] = [roomOf(file), roomOf(to)]
    const [from, below] = [floors.indexOf(a.floor), floors.indexOf(b.floor)]
    const line = `${relative(src, file)} imports ${relative(src, to)}`
    // The public door at the top of `src` may reach everything.
    if (from === -1) continue
    if (below === -1) problems.push(`${line}: nothing imports the public door`)
    else if (below > from) problems.push(`${line}: that goes up the stairs`)
    else if (a.room === 'foundation/contract' && b.room !== a.room)
      problems.push(`${line}: the contract imports nothing`)
    else if (a.room !== b.room) edges.set(a.room, (edges.get(a.room) ?? new Set()).add(b.room))
  }
}

function findCycle(room, path = []) {
  if (path.includes(room)) return [...path.slice(path.indexOf(room)), room]
  for (const next of edges.get(room) ?? []) {
    const cycle = findCycle(next, [...path, room])
    if (cycle) return cycle
  }
  return undefined
}

for (const room of edges.keys()) {
  const cycle = findCycle(room)
  if (cycle) {
    problems.push(`these rooms import each other in a circle: ${cycle.join(' → ')}`)
    break
  }
}

for (const room of new Set(filesBelow(src).map((file) => dirname(file)))) {
  const isRoom = relative(src, room).split('/').length === 2 || relative(src, room) === 'runtime'
  if (isRoom && !readdirSync(room).includes('README.md'))
    problems.push(`${relative(src, room)} has no README.md`)
}

for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'The stairs are clear.' : `${problems.length} problems on the stairs.`)
process.exitCode = problems.length === 0 ? 0 : 1
