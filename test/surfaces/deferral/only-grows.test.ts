import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryStore, sqliteStore, type Crib, type Store, type Surface, type SurfaceRequest } from 'toolcrib'
import { openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { sent, tool } from './make-tools.js'

type Step =
  | { kind: 'load'; names: number[] }
  | { kind: 'add'; name: number }
  | { kind: 'call'; name: number }
  | { kind: 'restart' }

const NAMES = 12
const name = (index: number): string => `t${String.fromCodePoint(97 + index)}`
const index = fc.nat({ max: NAMES - 1 })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('load'), names: fc.array(index, { maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add'), name: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('call'), name: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
) as fc.Arbitrary<Step>

const history = fc.record({
  steps: fc.array(step, { maxLength: 12 }),
  start: fc.uniqueArray(index, { minLength: 1, maxLength: 8 }),
  budgetTokens: fc.integer({ min: 1, max: 1200 }),
  always: fc.array(index, { maxLength: 2 }),
  way: fc.constantFrom('load' as const, 'pair' as const),
})

interface World {
  newStore(): Store
  crib: Crib
  surface: Surface
  names: Set<number>
  request: SurfaceRequest
}

async function open({ newStore, names, request }: Omit<World, 'crib' | 'surface'>) {
  const crib = await openCrib({ store: newStore(), tools: [...names].map((each) => tool(name(each))) })
  return { crib, surface: await crib.surface(request) }
}

async function take(world: World, next: Step): Promise<void> {
  switch (next.kind) {
    case 'load':
      await world.surface.load(next.names.map(name))
      break
    case 'add':
      if (!world.names.has(next.name)) await world.crib.add([tool(name(next.name))])
      world.names.add(next.name)
      break
    case 'call':
      await world.crib.call(world.surface, { name: name(next.name) })
      break
    case 'restart':
      await world.crib.close()
      Object.assign(world, await open(world))
  }
}

/** A store in memory that stays open for the next crib when a crib closes. */
function storeInMemory(): () => Store {
  const store = { ...memoryStore(), close: async () => {} }
  return () => store
}

function storeOnDisk(): () => Store {
  const path = temporaryStorePath()
  return () => sqliteStore({ path })
}

it.each([
  ['memory', 300, storeInMemory],
  ['sqlite', 50, storeOnDisk],
])(
  'the list only grows at its end (%s)',
  async (_kind, numRuns, place) => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, start, budgetTokens, always, way }) => {
        const deferral = { budgetTokens, always: always.map(name), way }
        const request = { scope: 'session', session: 's', deferral } as const
        const parts = { newStore: place(), names: new Set(start), request }
        const world: World = { ...parts, ...(await open(parts)) }
        for (const next of steps) {
          const before = sent(world.surface)
          await take(world, next)
          const after = sent(world.surface)
          expect(after.slice(0, before.length), `${next.kind} keeps what was sent`).toEqual(before)
          if (way === 'pair' && next.kind === 'load') expect(after).toEqual(before)
          expect(new Set(after).size).toBe(after.length)
        }
        await world.crib.close()
      }),
      { numRuns, seed: 20261116 },
    )
  },
  120_000,
)
