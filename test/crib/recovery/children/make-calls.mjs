// Makes calls until its plan kills it: `{"point": "decider", "at": 3}` or a plan of the faulty store.
import * as library from '../../../../lib/index.js'
import { faultyStore } from '../faulty-store.mjs'
import { createWorkload, makeCalls } from '../workload.mjs'

const [, , path, effectsPath, planText] = process.argv
const plan = JSON.parse(planText)
let reached = 0
const reach = (point) => {
  if (plan.point === point && ++reached === plan.at) process.kill(process.pid, 'SIGKILL')
}
const inner = library.sqliteStore({ path })
const store = plan.on ? faultyStore(inner, { how: 'kill', ...plan }) : inner
const { names, options } = createWorkload(library, { effectsPath, reach })
const crib = await library.createCrib({ ...options, store })
console.log('open')
await makeCalls(crib, names, { rounds: plan.rounds ?? 3, cancelEvery: 5 })
await crib.close()
console.log('done')
