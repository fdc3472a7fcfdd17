// Checks what ARCHITECTURE.md promises: folders import earlier folders only, no files import each other in a circle,
// folders and functions are small, small helpers are in the file that uses them, and pages name files that exist. Exceptions are listed in ARCHITECTURE.md with their reasons.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCycles } from './find-cycles.mjs'
import { longFunctions } from './long-functions.mjs'
import { missingFiles } from './missing-files.mjs'
import { readSources } from './read-sources.mjs'
import { smallHelpers } from './small-helpers.mjs'

const MOST_FILES = 25
const MOST_LINES = 80
const HELPER_LINES = 40
const FILE_LINES = 300

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const src = join(root, 'src')
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const order = listUnder('## Order').map(({ name }) => name)
const exceptions = new Set(listUnder('## Exceptions').map(({ name }) => name))

/** The items of a list, each "- `name`: reason". */
function listUnder(title) {
  const [, section = ''] = page.split(`\n${title}\n`)
  return [...section.split('\n## ')[0].matchAll(/^- `([^`]+)`: (.+)/gm)].map(([, name, reason]) => ({
    name,
    reason,
  }))
}

const files = readSources(src)
const problems = []
const used = new Set()
const report = (name, problem) => {
  if (exceptions.has(name)) used.add(name)
  else problems.push(problem)
}

const folderOf = (file) => (file.includes('/') ? file.split('/')[0] : undefined)

for (const [file, { imports }] of files) {
  const from = folderOf(file)
  // The package's entry points at the top of `src` may import everything.
  if (from === undefined) continue
  if (!order.includes(from)) problems.push(`${file}: ${from} is not in the order of ARCHITECTURE.md`)
  for (const target of imports) {
    const to = folderOf(target)
    if (to === undefined) problems.push(`${file} imports ${target}: nothing imports an entry point`)
    else if (order.indexOf(to) > order.indexOf(from))
      problems.push(`${file} imports ${target}, but ${from} comes before ${to}`)
  }
}

for (const cycle of findCycles(files)) {
  const [first] = cycle.toSorted()
  report(`circle of ${first}`, `circle of ${first}: these files import each other: ${cycle.join(', ')}`)
}

const counts = new Map()
for (const file of files.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
for (const [folder, count] of counts)
  if (count > MOST_FILES)
    report(folder, `${folder} has ${count} files; at most ${MOST_FILES} are easy to look through`)

for (const [file, { tree }] of files)
  for (const { name, lines } of longFunctions(join(src, file), tree, MOST_LINES))
    report(`${file} ${name}`, `${file}: ${name} has ${lines} lines; at most ${MOST_LINES} fit a screen`)

const limits = { src, tests: join(root, 'test'), fewLines: HELPER_LINES, mostLines: FILE_LINES }
for (const { file, importer, lines } of smallHelpers(files, limits))
  report(dirname(file), `${file} has ${lines} lines and one importer: it belongs into ${importer}`)

const pages = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('README.md'))
  .map((file) => join(src, file))
for (const { page: from, name } of missingFiles(src, [join(root, 'ARCHITECTURE.md'), ...pages]))
  problems.push(`${relative(root, from)} names ${name}, which is not there`)

for (const name of exceptions)
  if (!used.has(name)) problems.push(`${name} needs no exception any more: remove it from ARCHITECTURE.md`)

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('The architecture is as ARCHITECTURE.md says.')
process.exitCode = problems.length === 0 ? 0 : 1
