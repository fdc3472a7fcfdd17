// Starts a call, suspends it before a phase, and writes its state as JSON.
import { runCall } from './run-call.mjs'
import { takeCall } from '../../../dist/crib/calls/start-call.js'
import { createAgents } from '../../../dist/crib/catalog/agents.js'
import { openSurface } from '../../../dist/crib/surfaces/open-surface.js'
import { openPorts, writeState } from './open-ports.mjs'

const [, , path, seen, stateFile, until, name, input] = process.argv
const { ports, owner, journal, catalog } = await openPorts(path, seen)
const discovery = { offerFor() {}, remember() {} }
const surface = await openSurface(
  { catalog, agents: createAgents(), journal, now: Date.now, policy: { revision: 'none' }, discovery },
  'surface_1',
  {
    scope: 'turn',
    tenant: 'default',
    actor: 'ann',
  },
)
const options = { name, input: JSON.parse(input), nativeCallId: 'native-1' }
const { call, run } = takeCall(ports, surface, options, 'inv_resumed', Date.now(), { ownerId: owner.id })
const state = await runCall(call, run, until)
await journal.durable()
writeState(stateFile, state)
await journal.close()
console.log(state.phase)
