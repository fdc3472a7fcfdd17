import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as library from 'toolcrib'
import { createCrib, sqliteStore, type Crib } from 'toolcrib'
import { temporaryFolder } from '../../storage/temporary-folder.js'
import { buryOwners } from './bury-owners.js'
import { checkLog } from './check-log.mjs'
import { faultyStore, type FaultPlan } from './faulty-store.mjs'
import { createWorkload, makeCalls, readEffects } from './workload.mjs'

const SIZE = Number(process.env['CRASH_SIZE'] ?? 1)
/** The first of them fall into opening, the rest into calls. */
const LAST_FAULT = 14 * SIZE

describe('a store that breaks', () => {
  let place: ReturnType<typeof temporaryFolder>
  let path: string
  let effectsPath: string

  beforeEach(() => {
    place = temporaryFolder()
    path = place.path('crib.db')
    effectsPath = place.path('effects')
  })

  afterEach(() => place.remove())

  const tried = (plan: FaultPlan): string =>
    `${plan.how} ${plan.when} ${plan.on} ${plan.at}${plan.isAsync ? ' (async)' : ''}`

  /** Opens and calls with the fault; what fails to open or to close is part of the game. */
  async function live(plan: FaultPlan): Promise<{ crib: Crib | undefined; unended: string[] }> {
    const store = faultyStore(sqliteStore({ path }), plan)
    const { names, options } = createWorkload(library, { effectsPath })
    const unended: string[] = []
    let crib: Crib | undefined
    try {
      crib = await createCrib({ ...options, store })
      await makeCalls(crib, names, { rounds: 2, cancelEvery: 6 })
    } catch (error) {
      // A call never rejects for a store that broke: only opening may.
      if (crib) unended.push(String(error))
      else await store.close()
    }
    if (plan.how === 'throw') return { crib, unended }
    store.die()
    await crib?.close({ graceMs: 50 }).catch(() => {})
    return { crib, unended }
  }

  async function recovered(): Promise<string[]> {
    await buryOwners(path)
    const crib = await createCrib({ store: sqliteStore({ path }) })
    const { problems } = await checkLog(crib, { effects: readEffects(effectsPath) })
    await crib.close()
    return problems
  }

  for (const isAsync of [false, true]) {
    for (const when of ['before', 'after'] as const) {
      it(`for good, ${when} a write or sync${isAsync ? ', over a wire' : ''}: the next crib closes what is open`, async () => {
        for (let at = 1; at <= LAST_FAULT; at++) {
          place.remove()
          place = temporaryFolder()
          path = place.path('crib.db')
          effectsPath = place.path('effects')
          const plan: FaultPlan = { on: 'any', at, when, how: 'die', isAsync }
          const { unended } = await live(plan)
          expect({ plan: tried(plan), unended, problems: await recovered() }).toEqual({
            plan: tried(plan),
            unended: [],
            problems: [],
          })
        }
      })

      it(`once, ${when} a write or sync${isAsync ? ', over a wire' : ''}: the same crib goes on and loses nothing`, async () => {
        for (let at = 1; at <= LAST_FAULT; at++) {
          place.remove()
          place = temporaryFolder()
          path = place.path('crib.db')
          effectsPath = place.path('effects')
          const plan: FaultPlan = { on: 'any', at, when, how: 'throw', isAsync }
          const { crib, unended } = await live(plan)
          if (!crib) continue
          const problems: string[] = [...unended]
          try {
            // The fault may fall into this very flush; it happens only once.
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
