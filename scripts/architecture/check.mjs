// Checks what ARCHITECTURE.md promises: folders import earlier folders only.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSources } from './read-sources.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const src = join(root, 'src')
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const order = listUnder('## Order').map(({ name }) => name)

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

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('The architecture is as ARCHITECTURE.md says.')
process.exitCode = problems.length === 0 ? 0 : 1
