// Makes many random calls and checks what must hold for every one. Prints a summary; exits with 1 and the smallest
// counterexamples when a check fails. SOAK_CALLS, SOAK_SEED, SOAK_STORES, SOAK_KILLS, SOAK_AVOID (words of plans.mjs
// that are not played), SOAK_AT_ONCE.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as library from '../../lib/index.js'
import { isTerminal, schemas, toEmitSchema } from '../../lib/contract.js'
import { checkLog, problemsOf, takeEvent } from '../crib/recovery/check-log.mjs'
import { readEffects } from '../crib/recovery/workload.mjs'
import { createPlayers, play } from './behave.mjs'
import { CANARY, hasSecret, planArbitrary, shrinkPlan } from './plans.mjs'

const CALLS = Number(process.env.SOAK_CALLS ?? 100_000)
const SEED = Number(process.env.SOAK_SEED ?? 20_260)
const STORES = (process.env.SOAK_STORES ?? 'memory,sqlite').split(',')
const KILLS = Number(process.env.SOAK_KILLS ?? 30)
const AVOID = (process.env.SOAK_AVOID ?? '').split(',').filter(Boolean)
const AT_ONCE = Number(process.env.SOAK_AT_ONCE ?? 60)
/** Every event is validated in a small run, one in ten in a large one. */
const VALIDATE_EVERY = CALLS <= 5_000 ? 1 : 10
const PATIENCE_MS = 2_500
const MAX_KINDS = 40
const MAX_SHRUNK = Number(process.env.SOAK_SHRINK ?? 12)
const CLOSE_PATIENCE_MS = 1_500

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false })
const validators = Object.fromEntries(
  Object.entries({
    event: 'tool_event',
    result: 'tool_result',
    decision: 'tool_permission_decision',
    progress: 'tool_progress',
    hook: 'tool_hook',
    mutation: 'tool_input_mutation',
    persistence: 'tool_result_persistence',
    surface: 'tool_surface',
    declaration: 'tool_declaration',
  }).map(([field, object]) => [field, ajv.compile(toEmitSchema(schemas[object]))]),
)

const isInvocation = ajv.compile(toEmitSchema(schemas.tool_invocation))

function schemaProblems(event) {
  const problems = []
  const look = (field, record) => {
    const validate = validators[field]
    if (validate(record)) return
    const { instancePath, message } = validate.errors[0]
    problems.push(`a ${field} in ${event.event_type} is not valid: ${instancePath} ${message}`)
  }
  look('event', event)
  for (const field of Object.keys(validators))
    if (event.data?.[field] !== undefined) look(field, event.data[field])
  return problems
}

const folders = new Set()

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-soak-'))
  folders.add(folder)
  return folder
}

// Also when it is interrupted: a full run fills more than a gigabyte.
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** One crib under test, and what is known about its calls. */
async function openTable(kind) {
  const folder = temporaryFolder()
  const path = join(folder, 'crib.db')
  const store = kind === 'memory' ? library.memoryStore() : library.sqliteStore({ path })
  const crib = await library.createCrib({ ...createPlayers(library), store })
  const surface = await crib.surface({ scope: 'session', session: 'soak', actor: 'soak' })
  const calls = new Map()
  const counts = { calls: 0, looked: 0, events: 0, validated: 0, results: {} }
  let cursor = 'start'
  let secrets = 0

  /** Plays plans in parallel; resolves with the problems, each with the plan that showed it. */
  async function playAll(plans) {
    const found = []
    const parts = plans.map((plan) => ({
      plan,
      secret: `${hasSecret(plan) ? CANARY : 'harmless'}-${secrets++}-${'q'.repeat(8)}`,
    }))
    const outcomes = await Promise.all(parts.map((part) => play(crib, surface, part, PATIENCE_MS)))
    const byId = new Map()
    outcomes.forEach((outcome, index) => {
      byId.set(outcome.id, { ...outcome, plan: plans[index] })
      if (outcome.broken) found.push({ plan: plans[index], problem: outcome.broken, id: outcome.id })
    })
    const planOf = (id) => byId.get(id)?.plan ?? calls.get(id)?.plan
    try {
      await crib.flush()
      for await (const event of crib.events({ from: cursor })) {
        cursor = event.toolcrib.cursor
        takeIn(event, planOf, (problem) =>
          found.push({ plan: planOf(event.invocation_id), problem, id: event.invocation_id }),
        )
      }
    } catch (error) {
      found.push({
        plan: plans[0],
        problem: `the record cannot be written or read: ${error.message}`,
        isStuck: true,
      })
      return found
    }
    for (const [id, outcome] of byId) if (id !== undefined) await look(id, outcome, found)
    counts.calls += plans.length
    return found
  }

  function takeIn(event, planOf, complain) {
    counts.events++
    const text = JSON.stringify(event)
    if (text.includes(CANARY)) complain(`a secret is in ${event.event_type} at ${placeOf(event)}`)
    if (counts.events % VALIDATE_EVERY === 0) {
      counts.validated++
      for (const problem of schemaProblems(event)) complain(problem)
    }
    const id = event.invocation_id
    if (id === undefined) return
    const call = calls.get(id) ?? {
      status: undefined,
      results: [],
      types: [],
      started: false,
      sequence: 0,
      plan: planOf(id),
    }
    calls.set(id, call)
    if (event.toolcrib.sequence !== ++call.sequence)
      complain(`sequence ${event.toolcrib.sequence} where ${call.sequence} is due`)
    for (const problem of takeEvent(call, event)) complain(problem.replace(`${id}: `, ''))
  }

  async function look(id, outcome, found) {
    const complain = (problem) => found.push({ plan: outcome.plan, problem, id })
    const call = calls.get(id)
    if (!call) return complain('the call is not in the log')
    if (outcome.broken) return
    for (const problem of problemsOf(call, await crib.store.getCall('default', id))) complain(problem)
    const { result } = outcome
    if (JSON.stringify(result).includes(CANARY)) complain('a secret is in the result that the caller gets')
    if (result.error?.error_code === 'toolcrib.internal')
      complain(`the runtime broke: ${result.error.message}`)
    if (process.env.SOAK_ERRORS && result.error) {
      const name = `${result.error.error_class} ${result.error.message.slice(0, 60)}`
      counts.results[name] = (counts.results[name] ?? 0) + 1
    }
    const recorded = call.results[0]
    if (recorded && JSON.stringify(sorted(recorded)) !== JSON.stringify(sorted(result)))
      complain('the result that the caller gets is not the one recorded')
    counts.results[result.status] = (counts.results[result.status] ?? 0) + 1
    if (outcome.streamed) lookAtStream(outcome.streamed, complain)
    if (counts.looked++ % VALIDATE_EVERY === 0) {
      const invocation = await crib.invocation(id)
      if (!isTerminal(invocation.status)) complain(`its invocation says ${invocation.status}`)
      if (JSON.stringify(invocation).includes(CANARY)) complain('a secret is in its invocation')
      if (!isInvocation(invocation))
        complain(`its invocation is not valid: ${ajv.errorsText(isInvocation.errors)}`)
    }
    // The facts of an ended call need not be kept whole.
    call.types = call.types.slice(-6)
    call.results = call.results.map(({ status, is_error, error }) => ({
      status,
      is_error,
      error: error && {},
    }))
  }

  function lookAtStream(streamed, complain) {
    const isInOrder = streamed.every((event, index) => event.toolcrib.sequence === index + 1)
    if (!isInOrder) complain('the call’s stream skips or repeats an event')
    const last = streamed.findLast(({ event_type: type }) => type !== 'toolcrib.result.late_discarded')
    if (last?.event_type !== 'tool.result.created') complain('the call’s stream does not end with its result')
    if (JSON.stringify(streamed).includes(CANARY)) complain('a secret is in the call’s stream')
  }

  return {
    counts,
    playAll,
    async close() {
      const problems = []
      // Abandoned executors may still report something.
      await new Promise((resolve) => setTimeout(resolve, 30))
      try {
        await crib.flush()
        const whole = await checkLog(crib)
        problems.push(...whole.problems)
        await Promise.race([
          crib.close({ graceMs: 100 }),
          new Promise((_, reject) =>
            setTimeout(reject, CLOSE_PATIENCE_MS, new Error('the crib does not close')).unref(),
          ),
        ])
      } catch (error) {
        problems.push(`at the end: ${error.message}`)
      }
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(CANARY))
          problems.push(`a secret is in the bytes of ${file.name}`)
      }
      rmSync(folder, { recursive: true, force: true })
      return problems
    },
  }
}

function placeOf(event) {
  const walk = (value, path) => {
    if (typeof value === 'string') return value.includes(CANARY) ? path : undefined
    if (typeof value !== 'object' || value === null) return undefined
    for (const [key, member] of Object.entries(value)) {
      if (key.includes(CANARY)) return `${path}.(key)`
      const found = walk(member, `${path}.${key}`)
      if (found) return found
    }
    return undefined
  }
  return walk(event.data, 'data')
}

function sorted(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}

/** The same problem in other calls has the same kind. */
function kindOf(problem) {
  return problem
    .replace(/\b(inv|res|prog|perm|mut|evt|surface|crib)_[0-9a-z_]+/g, '…')
    .replace(/\/tmp\/[^ ]+/g, '…')
    .replace(/\d+/g, 'n')
    .slice(0, 220)
}

async function soakStore(kind) {
  const kinds = new Map()
  let table = await openTable(kind)
  const counts = { calls: 0, events: 0, validated: 0, results: {} }
  const arbitrary = planArbitrary(AVOID)

  const collect = (found) => {
    for (const each of found) {
      const name = kindOf(each.problem)
      const known = kinds.get(name)
      if (known) known.count++
      else if (kinds.size < MAX_KINDS) kinds.set(name, { ...each, count: 1 })
    }
  }
  const closeTable = async () => {
    const problems = await table.close()
    collect(problems.map((problem) => ({ problem, plan: undefined })))
    counts.calls += table.counts.calls
    counts.events += table.counts.events
    counts.validated += table.counts.validated
    for (const [status, n] of Object.entries(table.counts.results))
      counts.results[status] = (counts.results[status] ?? 0) + n
  }

  for (let round = 0; counts.calls + table.counts.calls < CALLS; round++) {
    const left = CALLS - counts.calls - table.counts.calls
    const plans = fc.sample(arbitrary, { seed: SEED + round, numRuns: Math.min(AT_ONCE, left) })
    const found = await table.playAll(plans)
    collect(found)
    if (!found.some(({ isStuck }) => isStuck)) continue
    // A crib whose record is stuck shows nothing more: find the call that caused it, then start again.
    table.counts.calls += plans.length
    await closeTable()
    for (const plan of plans) {
      const alone = await openTable(kind)
      const stuck = (await alone.playAll([plan])).filter(({ isStuck }) => isStuck)
      await alone.close()
      for (const each of stuck) kinds.set(kindOf(each.problem), { ...each, plan, count: 1 })
      if (stuck.length > 0) break
    }
    table = await openTable(kind)
  }
  await closeTable()
  await shrinkAll(kind, kinds)
  return { kind, counts, kinds }
}

async function shrinkAll(kind, kinds) {
  for (const [name, example] of [...kinds].slice(0, MAX_SHRUNK)) {
    if (!example.plan || example.problem === 'the call never ended') continue
    example.smallest = await shrinkPlan(example.plan, async (plan) => {
      const table = await openTable(kind)
      const found = await table.playAll([plan])
      const late = await table.close()
      return [...found.map(({ problem }) => problem), ...late].some((problem) => kindOf(problem) === name)
    })
  }
}

/** Lets a child make calls without end, kills it at some moment, and checks the file with a new crib. */
async function killRound(round, random) {
  const folder = temporaryFolder()
  const path = join(folder, 'crib.db')
  const effectsPath = join(folder, 'effects')
  const script = fileURLToPath(new URL('../crib/recovery/children/make-calls.mjs', import.meta.url))
  try {
    const child = spawn(process.execPath, [script, path, effectsPath, '{"rounds":1000000}'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    const ended = new Promise((resolve) => child.on('close', resolve))
    await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 250)))
    child.kill('SIGKILL')
    await ended
    const crib = await library.createCrib({ store: library.sqliteStore({ path }) })
    const { problems, calls } = await checkLog(crib, { effects: readEffects(effectsPath) })
    await crib.close()
    return { calls, problems: stderr ? [...problems, `the child said: ${stderr}`] : problems }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

process.on('unhandledRejection', (error) => {
  console.error(`seed ${SEED}: a rejection that nobody handled: ${error?.stack ?? error}`)
  unhandled++
})
let unhandled = 0

const startedAt = performance.now()
const reports = []
for (const kind of STORES.filter(Boolean)) reports.push(await soakStore(kind))
const killed = { rounds: 0, calls: 0, problems: [] }
const random = seeded(SEED)
for (let round = 0; round < KILLS; round++) {
  const { calls, problems } = await killRound(round, random)
  killed.rounds++
  killed.calls += calls
  killed.problems.push(...problems)
}

let isClean = killed.problems.length === 0 && unhandled === 0
for (const { kind, counts, kinds } of reports) {
  const results = Object.entries(counts.results).map(([status, n]) => `${status} ${n}`)
  console.log(
    `${kind}: ${counts.calls} calls, ${counts.events} events (${counts.validated} validated), ${results.join(', ')}`,
  )
  for (const [name, { count, problem, plan, smallest }] of kinds) {
    isClean = false
    console.log(`  ${count} × ${name}`)
    console.log(`      e.g. ${problem.slice(0, 300)}`)
    console.log(`      smallest: ${JSON.stringify(smallest ?? plan)}`)
  }
}
for (const problem of killed.problems.slice(0, 20)) console.log(`  after a kill: ${problem}`)
console.log(
  `soak ${isClean ? 'clean' : 'FAILED'}: seed ${SEED}, ${reports.map(({ counts }) => counts.calls).join(' + ')} calls, ` +
    `${killed.rounds} kills over ${killed.calls} calls, ${unhandled} unhandled rejections, ` +
    `${Math.round((performance.now() - startedAt) / 1000)} s${AVOID.length > 0 ? `, avoided ${AVOID.join(',')}` : ''}`,
)
process.exit(isClean ? 0 : 1)
