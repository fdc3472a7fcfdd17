// Writes docs/conformance.md from docs/conformance.json and from the tests that cite its ids.
//   node scripts/conformance/write-page.mjs           write the page
//   node scripts/conformance/write-page.mjs --check   exit with 1 when the page is out of date
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STATUSES = ['implemented', 'partly', 'open']
const CITED_ID = /\b(?:AT|AR|AML)-[A-Z]+-\d{2,}\b/g

export function readInventory(root = ROOT) {
  return JSON.parse(readFileSync(join(root, 'docs/conformance.json'), 'utf8'))
}

/** Tests that need libraries of databases and clouds are apart from the others. */
const TEST_FOLDERS = ['test', 'integration/test']

/** Map from each id cited in files of tests whose name matches `pattern` to the sorted paths of those files. */
export function citations(root = ROOT, pattern = /\.test\.(?:ts|mjs)$/) {
  const cited = new Map()
  const files = TEST_FOLDERS.flatMap((folder) => filesUnder(root, folder))
  for (const path of files.filter((file) => pattern.test(file))) {
    for (const id of new Set(readFileSync(join(root, path), 'utf8').match(CITED_ID))) {
      cited.set(id, [...(cited.get(id) ?? []), path])
    }
  }
  return cited
}

export function renderPage(entries, cited) {
  const counts = STATUSES.map(
    (status) => `| ${status} | ${entries.filter((entry) => entry.status === status).length} |`,
  )
  const lines = [
    '# Conformance',
    '',
    'What the three texts demand that this project implements, restated in our words, and what it does about it:',
    'Agent Tool 0.2.0, the tool and context page of Agent Runtime, and AML 1.2. One row per demand; a demand that',
    'a text repeats names the row it repeats. The level is MUST or SHOULD where the text says so in capitals, and',
    'STATED where it is a list, an example or a plain sentence. A row is implemented where a test fails without it;',
    'a row that is partly met says what is missing. The page is made from `docs/conformance.json` and from the',
    'tests that cite an id: change those, then run `node scripts/conformance/write-page.mjs`.',
    '',
    '| Status | Demands |',
    '| --- | --- |',
    ...counts,
    `| all | ${entries.length} |`,
  ]
  for (const chapter of new Set(entries.map((entry) => entry.chapter))) {
    lines.push('', `## ${chapter}`, '')
    lines.push('| Id | Level | Demand | Status | Where | Tests |', '| --- | --- | --- | --- | --- | --- |')
    for (const entry of entries.filter((candidate) => candidate.chapter === chapter)) {
      const cells = [
        entry.id,
        entry.level,
        demandCell(entry),
        statusCell(entry),
        paths(entry.where),
        paths(cited.get(entry.id) ?? []),
      ]
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Brings the page up to date and returns whether it was; with `check` it only looks. */
export function writePage({ root = ROOT, check = false } = {}) {
  const file = join(root, 'docs/conformance.md')
  const page = renderPage(readInventory(root), citations(root))
  const current = existsSync(file) && readFileSync(file, 'utf8') === page
  if (!current && !check) writeFileSync(file, page)
  return current
}

function demandCell({ demand, fields, sameAs }) {
  const names = fields ? ` Listed: ${fields.map((name) => `\`${name}\``).join(', ')}.` : ''
  return `${demand}${names}${sameAs ? ` Repeats ${sameAs}.` : ''}`
}

function statusCell({ status, missing }) {
  return missing ? `${status}: ${missing}` : status
}

function paths(list) {
  return list.map((path) => `\`${path}\``).join('<br>')
}

function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((item) => {
      const path = `${folder}/${item.name}`
      if (item.isDirectory()) return item.name === 'node_modules' ? [] : filesUnder(root, path)
      return item.isFile() ? [path] : []
    })
    .sort()
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const check = process.argv.includes('--check')
  const current = writePage({ check })
  if (check && !current) {
    console.error('docs/conformance.md is out of date: run node scripts/conformance/write-page.mjs')
    process.exitCode = 1
  }
}
