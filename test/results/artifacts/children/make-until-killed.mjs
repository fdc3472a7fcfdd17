// Makes artifacts and versions of them until its plan kills it: `make-until-killed.mjs <folder> <plan>`.
import { join } from 'node:path'
import * as library from '../../../../lib/index.js'
import { faultyStore } from '../../../crib/recovery/faulty-store.mjs'

const { createCrib, defineTool, sqliteStore, toolOutput } = library
const [, , folder, plan] = process.argv
const inner = sqliteStore({ path: join(folder, 'crib.db') })
let last
let count = 0
const crib = await createCrib({
  store: faultyStore(inner, { how: 'kill', ...JSON.parse(plan) }),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    defineTool({
      name: 'make',
      description: 'Makes two artifacts.',
      execute: () =>
        toolOutput({
          artifacts: [
            { name: 'new.txt', content: `new ${++count}` },
            ...(last ? [{ name: 'again.txt', artifact: last, content: `again ${count}` }] : []),
          ],
        }),
    }),
  ],
})
const surface = await crib.surface({ scope: 'turn' })
for (let round = 0; round < 4; round++) {
  const { artifact_refs: refs, status } = await crib.call(surface, { name: 'make' })
  last = refs[0].ref_id
  console.log(`${status} ${refs.map(({ uri }) => uri).join(' ')}`)
}
await crib.close()
