// Options of the commands that are known to only read, put together at random: bundled, abbreviated, with values that are
// files, files of options, or options again. What is proven is run for real, and must do nothing but read.
import { spawnSync } from 'node:child_process'
import { parseCommand } from '../../dist/shell/parse/parse-command.js'
import { prove } from '../../dist/shell/proof/prove.js'
import { safeCommands } from '../../dist/shell/safe-commands/safe-commands.js'
import { cleanContext } from './clean-context.mjs'
import { runAll, standIns, whyNoRoot } from './flag-root.mjs'
import { createRandom } from './random.mjs'

export const name = 'options of known commands'

export const whyNot = whyNoRoot

// Builtins of the shell and what waits for a person or for a service that a throwaway root has not got.
const leftOut = new Set(
  ': [ [[ cd exec eval source . sleep docker podman kubectl gh aws az gcloud helm'.split(' '),
)

const files =
  `a.txt b.txt names.txt numbers.txt data.json data.yaml script.sh opts magic packed.gz packed.bz2 packed.xz
  packed.zst archive.tar archive.zip archive.7z program hostile.db sub sub/c.txt program.bc canary|`.split(
    /\s+/,
  )
const odd =
  `made ./made @opts @./opts - -- canary ./script.sh 1 2 0 x 1o xo alpha . / + +1 -o -omade host:a.txt =made
  file:hostile.db?immutable=1 example.com :80 @example.com TCP dst JSON never always utf-8`.split(/\s+/)
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
// What a command is most likely to do something with.
const fitting = {
  gzip: 'packed.gz',
  gunzip: 'packed.gz',
  bzip2: 'packed.bz2',
  bunzip2: 'packed.bz2',
  xz: 'packed.xz',
  unxz: 'packed.xz',
  zstd: 'packed.zst',
  unzstd: 'packed.zst',
  tar: 'archive.tar',
  unzip: 'archive.zip',
  zipinfo: 'archive.zip',
  '7z': 'archive.7z',
  sqlite3: 'hostile.db',
  nm: 'program',
  objdump: 'program',
  readelf: 'program',
}
const statements = [
  'select * from v',
  'select a from w',
  'select 1',
  'select * from t, s',
  'select count(*) from t',
]

let known
/** Every installed command of the tables, with the options of its table and those that it says it has. */
function commands() {
  return (known ??= installed()
    .map((command) => toEntry(command, safeCommands.get(command)))
    .filter(({ command, own, verbs }) => own.length + verbs.length > 0 || command in fitting))
}

function installed() {
  const names = [...safeCommands.keys()].filter(
    (command) => /^[\w.-]+$/.test(command) && !leftOut.has(command) && !standIns.includes(command),
  )
  const script = 'for name; do command -v "$name" >/dev/null && echo "$name"; done'
  return spawnSync('sh', ['-c', script, 'sh', ...names], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
}

function toEntry(command, compiled) {
  return {
    command,
    own: [...optionsOf(compiled)],
    verbs: [...compiled.verbs.keys()],
    needs: [...compiled.needs],
    told: undefined,
  }
}

function optionsOf(compiled) {
  const verbs = [...compiled.verbs.values()].flatMap((verb) => [...verb.options.keys()])
  return new Set([...compiled.options.keys(), ...verbs].filter((option) => option !== '-#'))
}

/** The long options that its help tells of. The help is asked for once, when the command is first drawn. */
function toldOf(entry) {
  if (entry.told !== undefined) return entry.told
  const asked = spawnSync(entry.command, ['--help'], { encoding: 'utf8', input: '', timeout: 2000 })
  const text = `${asked.stdout}${asked.stderr}`
  entry.told = [...new Set(text.match(/(?<![\w-])--[a-z][\w-]+/g) ?? [])]
  return entry.told
}

const quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

function drawValue(random, entry) {
  if (entry.command === 'sqlite3' && random.chance(0.5)) return random.pick(statements)
  if (entry.command in fitting && random.chance(0.5)) return fitting[entry.command]
  return random.chance(0.6) ? random.pick(files) : random.pick(odd)
}

/** One option as a person, or somebody with bad intent, might write it. */
function drawOption(random, entry) {
  const own = entry.own.length > 0 && random.chance(0.75)
  const option = own ? random.pick(entry.own) : drawForeign(random, entry)
  if (option.startsWith('--')) {
    const spelled = random.chance(0.15) ? option.slice(0, 3 + random.below(option.length - 2)) : option
    const form = random.below(3)
    if (form === 0) return [spelled]
    const value = drawValue(random, entry)
    return form === 1 ? [`${spelled}=${value}`] : [spelled, value]
  }
  const shorts = entry.own.filter((one) => /^-[^-]$/.test(one))
  const bundled = [option.slice(1)]
  while (random.chance(0.45)) bundled.push(shorts.length > 0 ? random.pick(shorts)[1] : random.pick(letters))
  if (random.chance(0.08)) bundled.splice(random.below(bundled.length + 1), 0, random.pick(letters))
  const word = `-${bundled.join('')}`
  if (random.chance(0.5)) return [word]
  return random.chance(0.3) ? [word + drawValue(random, entry)] : [word, drawValue(random, entry)]
}

function drawForeign(random, entry) {
  const told = random.chance(0.6) ? toldOf(entry) : []
  return told.length > 0 ? random.pick(told) : `-${random.pick(letters)}`
}

function drawCommand(random, entry) {
  const words = [entry.command]
  if (entry.verbs.length > 0 && random.chance(0.9)) words.push(random.pick(entry.verbs))
  if (entry.needs.length > 0 && random.chance(0.7)) words.push(random.pick(entry.needs))
  const count = 1 + random.below(4)
  for (let at = 0; at < count; at++) {
    if (random.chance(0.65)) words.push(...drawOption(random, entry))
    else words.push(drawValue(random, entry))
  }
  return words.map(quote).join(' ')
}

/** Tells what was proven and yet changed a file, started a planted program, or reached out without being said to. */
export async function round({ seed, size }) {
  const random = createRandom(seed)
  const all = commands()
  const drawn = Array.from({ length: size }, () => drawCommand(random, random.pick(all)))
  const proven = drawn
    .map((text) => ({ text, proof: prove(parseCommand(text), cleanContext) }))
    .filter(({ proof }) => proof.isReadOnly)
  const seen = runAll(proven.map(({ text }) => text))
  const broken = proven.flatMap(({ text, proof }, at) =>
    kindsOf(seen[at], proof).map((kind) => ({ kind, text })),
  )
  return { attempts: size, proven: proven.length, broken, notes: { commands: all.length } }
}

function kindsOf({ hasRun, hasChanged, hasConnected }, { isOpenWorld }) {
  return [
    ...(hasRun ? ['started a planted program'] : []),
    ...(hasChanged ? ['changed a file'] : []),
    ...(hasConnected && !isOpenWorld ? ['reached out'] : []),
  ]
}
