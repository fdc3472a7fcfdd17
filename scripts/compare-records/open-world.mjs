import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readBack } from './read-back.mjs'

const run = promisify(execFile)
/** As commands print it. */
const CURSOR = /("cursor": ")p[0-9a-z]+/g
const START = Date.UTC(2031, 2, 1, 10)

/** A clock that moves only where the session says so: times of records are the same in each run. */
function createClock() {
  let now = START
  return {
    now: () => now,
    pass: (ms) => {
      now += ms
    },
  }
}

/** A crib for one part of the session, and what notes its results. */
export async function openWorld({ lib, build, folder, part, kind, isWatched, put }) {
  const clock = createClock()
  const run = `${part.name}, ${kind}, ${isWatched ? 'watched' : 'unwatched'}`
  const path = join(folder, `${part.name}-${kind}-${isWatched}.db`)
  const openStore = () => (kind === 'memory' ? lib.memoryStore() : lib.sqliteStore({ path }))
  const world = { lib, clock, folder, notes: [] }
  const options = {
    clock: clock.now,
    random: () => 0.5,
    workspace: folder,
    sealKey: Buffer.alloc(32, 7),
    cancelGraceMs: 60,
    maxProgressPerSecond: Number.POSITIVE_INFINITY,
    ...part.options(world),
  }
  const open = () => lib.createCrib({ ...options, store: openStore() })
  const noted = []
  const followed = []
  let log
  let step = 'start'
  const noteIn = (name, label, value) => put(`${run}, ${name}`, label, value)
  const note = (label, value) => noteIn(step, label, value)
  const openFollowed = async () => {
    const crib = await open()
    if (isWatched) log = followLog(crib)
    return crib
  }
  Object.assign(world, {
    kind,
    crib: await openFollowed(),
    note,
    /** Names what follows; the clock moves by a minute. */
    step(name) {
      step = name
      clock.pass(60_000)
    },
    /** Ids of calls that were made elsewhere and whose records are to be compared. */
    keep: (invocationId, tenant) => noted.push({ step, invocationId, tenant }),
    /** Notes what the caller of a call gets; in a section of its own for one of several calls at once. */
    async watch(call, { label = 'call', tenant, isOneOfSeveral, isInBackground } = {}) {
      const section = isOneOfSeveral ? `${step}, ${label}` : step
      noted.push({ step: section, invocationId: call.invocationId, tenant })
      noteIn(section, `id, ${label}`, call.invocationId)
      const follow = async (name) => {
        if (!isWatched) return
        for await (const event of call) noteIn(name, `event as it happened, ${label}`, withoutCursor(event))
      }
      // The events of a background call go on after its receipt.
      if (isInBackground) followed.push(follow(`${section}, in the background`))
      else await follow(section)
      const result = await call
      noteIn(section, `result, ${label}`, result)
      return result
    },
    call(surface, given, more) {
      const isInBackground = given.runInBackground === true
      try {
        return world.watch(world.crib.call(surface, given), { ...more, isInBackground })
      } catch (error) {
        // An option that only one of the builds knows.
        return note(`refused, ${more?.label}`, String(error))
      }
    },
    /** Closes the crib and opens another on the same store, if the store is a file. */
    async reopen() {
      await world.crib.close()
      world.crib = await openFollowed()
    },
    async end() {
      await Promise.all(followed)
      const parts = { noted, tenants: part.tenants ?? [], isOrdered: part.isOrdered ?? true, clock }
      await readBack(world.crib, { ...parts, put: noteIn })
      if (isWatched) noteIn('end', 'the followed log is the log', await log.isWhole())
      await world.crib.close()
      if (kind === 'memory') return
      const again = await open()
      await readBack(again, {
        ...parts,
        put: (name, label, value) => noteIn(`${name}, opened again`, label, value),
      })
      await again.close()
      await readByCommands({ build, path, ids: noted, put: (label, text) => noteIn('commands', label, text) })
    },
  })
  return world
}

/** Follows the log of a crib from its start. */
function followLog(crib) {
  const seen = []
  const follow = async () => {
    for await (const event of crib.events({ from: 'start', follow: true })) seen.push(JSON.stringify(event))
  }
  const ended = follow()
  return {
    /** Whether the follower got exactly what a reader gets now. */
    async isWhole() {
      const log = []
      for await (const event of crib.events({ from: 'start' })) log.push(JSON.stringify(event))
      for (let tries = 0; seen.length < log.length && tries < 100; tries += 1)
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
      return log.length === seen.length && log.every((event, at) => event === seen[at])
    },
  }
}

/** Where an event is in the log, and whether it is there when it happens, depends on how calls are grouped. */
export function withoutCursor({ toolcrib, ...event }) {
  const { cursor: _, ...own } = toolcrib ?? {}
  return { ...event, toolcrib: own }
}

async function readByCommands({ build, path, ids, put }) {
  const bin = join(build, 'bin/toolcrib.js')
  const command = async (...words) => {
    const { stdout } = await run(process.execPath, [bin, ...words, '--store', path]).catch((error) => error)
    put(words.join(' '), stdout.replace(CURSOR, '$1<cursor>'))
  }
  await command('tasks', '--json')
  await command('stats', '--json', '--since', '2031-02-28T00:00Z')
  if (ids.length === 0) return
  await command('show', ids[0].invocationId)
  await command('show', ids.at(-1).invocationId, '--json')
}
