import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as library from 'toolcrib'
import { createCrib, sqliteStore, type Crib } from 'toolcrib'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { markOwnersDead } from './mark-owners-dead.js'
import { checkLog } from './check-log.mjs'
import { faultyStore, type FaultPlan } from './faulty-store.mjs'
import { createWorkload, makeCalls, readEffects } from './workload.mjs'

const SIZE = Number(process.env['CRASH_SIZE'] ?? 1)
/** The first faults occur while opening, the others in calls. */
const LAST_FAULT = 14 * SIZE

describe('a store that fails', () => {
  let place: TemporaryFolder
  let path: string
  let effectsPath: string

  beforeEach(() => {
    place = openTemporaryFolder()
    path = place.file('crib.db')
    effectsPath = place.file('effects')
  })

  afterEach(() => place.remove())

  const tried = (plan: FaultPlan): string =>
    `${plan.how} ${plan.when} ${plan.on} ${plan.at}${plan.isAsync ? ' (async)' : ''}`

  /** Opens and calls with the fault; failures of opening and closing are expected. */
  async function live(plan: FaultPlan): Promise<{ crib: Crib | undefined; unended: string[] }> {
    const store = faultyStore(sqliteStore({ path }), plan)
    const { names, options } = createWorkload(library, { effectsPath })
    const unended: string[] = []
    let crib: Crib | undefined
    try {
      crib = await createCrib({ ...options, store })
      await makeCalls(crib, names, { rounds: 2, cancelEvery: 6 })
    } catch (error) {
      // A call never rejects because the store failed: only opening may.
      if (crib) unended.push(String(error))
      else await store.close()
    }
    if (plan.how === 'throw') return { crib, unended }
    store.die()
    await crib?.close({ graceMs: 50 }).catch(() => {})
    return { crib, unended }
  }

  async function recovered(): Promise<string[]> {
    await markOwnersDead(path)
    const crib = await createCrib({ store: sqliteStore({ path }) })
    const { problems } = await checkLog(crib, { effects: readEffects(effectsPath) })
    await crib.close()
    return problems
  }

  for (const isAsync of [false, true]) {
    for (const when of ['before', 'after'] as const) {
      it(`permanently, ${when} a write or sync${isAsync ? ', in a remote store' : ''}: the next crib closes the open calls`, async () => {
        for (let at = 1; at <= LAST_FAULT; at++) {
          place.remove()
          place = openTemporaryFolder()
          path = place.file('crib.db')
          effectsPath = place.file('effects')
          const plan: FaultPlan = { on: 'any', at, when, how: 'die', isAsync }
          const { unended } = await live(plan)
          expect({ plan: tried(plan), unended, problems: await recovered() }).toEqual({
            plan: tried(plan),
            unended: [],
            problems: [],
          })
        }
      })

      it(`once, ${when} a write or sync${isAsync ? ', in a remote store' : ''}: the same crib continues and loses nothing`, async () => {
        for (let at = 1; at <= LAST_FAULT; at++) {
          place.remove()
          place = openTemporaryFolder()
          path = place.file('crib.db')
          effectsPath = place.file('effects')
          const plan: FaultPlan = { on: 'any', at, when, how: 'throw', isAsync }
          const { crib, unended } = await live(plan)
          if (!crib) continue
          const problems: string[] = [...unended]
          try {
            // The fault may occur in this flush; it happens only once.
            await crib.flush().catch(() => crib.flush())
            problems.push(...(await checkLog(crib, { effects: readEffects(effectsPath) })).problems)
            await crib.close().catch((error: Error) => {
              if (!error.message.includes('as planned')) throw error
            })
          } catch (error) {
            problems.push(`the crib does not recover: ${String(error)}`)
            await crib.close().catch(() => {})
          }
          expect({ plan: tried(plan), problems }).toEqual({ plan: tried(plan), problems: [] })
        }
      })
    }
  }
})
