// Compares the records of two builds of Toolcrib: see README.md.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareRecords } from './compare-records.mjs'
import { normaliseRecords, passingDigests } from './normalise-records.mjs'

const record = fileURLToPath(new URL('record.mjs', import.meta.url))
const usage =
  'node scripts/compare-records/run.mjs <folder before> <folder after> [--parts a,b] [--keep <folder>] [--differences <number>]'

function readArguments(words) {
  const folders = []
  const options = { differences: '10' }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (!word.startsWith('--')) folders.push(resolve(word))
    else options[word.slice(2)] = words[++at]
  }
  return folders.length === 2 ? { folders, ...options } : undefined
}

/** The environment decides what counts as a secret, and the time zone what is printed: both builds get the same. */
function environment(folder) {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    TZ: 'UTC',
    NO_COLOR: '1',
    XDG_CONFIG_HOME: join(folder, 'settings'),
    TOOLCRIB_HOME: join(folder, 'home'),
    TOOLCRIB_POLICY: join(folder, 'no-policy.yaml'),
    TOOLCRIB_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
    DEPLOY_TOKEN: 'plum tree by the lake',
  }
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Runs the session with a build; resolves with its lines. */
function recordSession(build, { folder, parts }) {
  mkdirSync(folder)
  const output = join(folder, 'records.jsonl')
  const child = spawn(process.execPath, [record, build, output, folder, ...(parts?.split(',') ?? [])], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment(folder),
  })
  return new Promise((done, fail) => {
    child.once('exit', (code) => {
      const lines = code === 0 ? readLines(output) : []
      rmSync(folder, { recursive: true, force: true })
      if (code === 0) done(lines)
      else fail(new Error(`The session with ${build} ended with ${code}.`))
    })
  })
}

const given = readArguments(process.argv.slice(2))
if (!given) {
  console.error(usage)
  process.exit(2)
}
// The folder of the session has the same name for both: digests of rules depend on it.
const place = mkdtempSync(join(tmpdir(), 'compare-records-'))
const folder = join(place, 'session')
const recorded = []
for (const build of given.folders) {
  const lines = await recordSession(build, { folder, parts: given.parts })
  const again = await recordSession(build, { folder, parts: given.parts })
  recorded.push(normaliseRecords(lines, { build, folder, passing: passingDigests(lines, again) }))
}
rmSync(place, { recursive: true, force: true })
if (given.keep)
  for (const [index, name] of ['before', 'after'].entries())
    writeFileSync(
      join(given.keep, `${name}.txt`),
      recorded[index].map(({ section, label, text }) => `${section} | ${label} | ${text}\n`).join(''),
    )
const { report, isSame } = compareRecords(recorded[0], recorded[1], Number(given.differences))
console.log(report)
process.exitCode = isSame ? 0 : 1
