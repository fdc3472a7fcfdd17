// Takes a call, walks it to just before a phase, and leaves its state as JSON.
import { runCall } from '../../../dist/pipeline/run-call.js'
import { takeCall } from '../../../dist/crib/calls/start-call.js'
import { openSurface } from '../../../dist/crib/surfaces/open-surface.js'
import { openWorld, writeState } from './open-world.mjs'

const [, , path, seen, stateFile, until, name, input] = process.argv
const { world, owner, journal, catalog } = await openWorld(path, seen)
const discovery = { offerFor() {}, remember() {} }
const surface = await openSurface(
  { catalog, journal, now: Date.now, policyRevision: () => 'none', discovery },
  'surface_1',
  {
    scope: 'turn',
    tenant: 'default',
    actor: 'ann',
  },
)
const { call, run } = takeCall(world, surface, {
  options: { name, input: JSON.parse(input), nativeCallId: 'native-1' },
  invocationId: 'inv_resumed',
  ownerId: owner.id,
  now: Date.now(),
})
const state = await runCall(call, run, until)
await journal.durable()
writeState(stateFile, state)
await journal.close()
console.log(state.phase)
