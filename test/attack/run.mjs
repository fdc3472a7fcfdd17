// Attacks on the permission layer and the gateway, class by class: generators and hostile peers, seeded and bounded in
// time. Prints the attempts and exits with 1 when any succeeded. ATTACK_SECONDS for all classes together, ATTACK_SEED,
// ATTACK_SIZE of a round, ATTACK_CLASSES (file names without the ending, with commas between).
import { parseArgs } from 'node:util'

const CLASSES = ['proofs', 'narrow-allows', 'flags', 'git-folders', 'file-rules', 'stalls']

const { values } = parseArgs({ options: { seconds: { type: 'string' }, json: { type: 'boolean' } } })
const seconds = Number(values.seconds ?? process.env.ATTACK_SECONDS ?? 240)
const seed = Number(process.env.ATTACK_SEED ?? 20_260)
const size = Number(process.env.ATTACK_SIZE ?? 500)
const chosen = process.env.ATTACK_CLASSES?.split(',') ?? CLASSES
const MAX_SHOWN = 20

const unknown = chosen.filter((each) => !CLASSES.includes(each))
if (unknown.length > 0 || !(seconds > 0) || !(size > 0)) {
  console.error(
    `ATTACK_CLASSES takes ${CLASSES.join(', ')}; ATTACK_SECONDS and ATTACK_SIZE take numbers above 0.`,
  )
  process.exit(2)
}

let isBroken = false
for (const each of chosen) {
  const attack = await import(`./${each}.mjs`)
  const found = await attackFor(attack, (seconds / chosen.length) * 1000)
  isBroken ||= found.broken.length > 0
  report(attack.name, found)
}
process.exitCode = isBroken ? 1 : 0

/** Rounds with one seed after another, until the time is over; at least one. */
async function attackFor(attack, ms) {
  const all = { rounds: 0, attempts: 0, proven: 0, broken: [], notes: {}, skipped: attack.whyNot?.() }
  const end = performance.now() + ms
  while (all.skipped === undefined && (all.rounds === 0 || performance.now() < end)) {
    const { attempts, proven = 0, broken, notes = {} } = await attack.round({ seed: seed + all.rounds, size })
    all.rounds += 1
    all.attempts += attempts
    all.proven += proven
    all.broken.push(...broken)
    for (const [label, value] of Object.entries(notes)) all.notes[label] = worst(all.notes[label], value)
  }
  return all
}

/** The highest value of a number that every round reports. */
function worst(before, now) {
  return typeof now === 'number' && typeof before === 'number' ? Math.max(before, now) : now
}

function report(name, { skipped, rounds, attempts, proven, broken, notes }) {
  if (values.json)
    return console.log(JSON.stringify({ name, skipped, rounds, attempts, proven, broken, notes }))
  if (skipped !== undefined) return console.log(`${name}: skipped, for ${skipped}`)
  console.log(
    `${name}: ${attempts} attempts, ${proven} proven or allowed, ${broken.length} broken (${rounds} rounds)`,
  )
  for (const [label, value] of Object.entries(notes)) console.log(`  ${label}: ${value}`)
  for (const [kind, all] of byKind(broken)) {
    console.log(`  broken, ${kind}: ${all.length}`)
    for (const { text } of all.slice(0, MAX_SHOWN)) console.log(`    ${JSON.stringify(text)}`)
  }
}

function byKind(broken) {
  const kinds = new Map()
  for (const each of broken) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each])
  return kinds
}
