// Adds versions to an artifact: `add-versions.mjs <folder> <artifact> <count> <mark>`.
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore, toolOutput } from '../../../../lib/index.js'

const [, , folder, artifact, count, mark] = process.argv
let number = 0
const crib = await createCrib({
  store: sqliteStore({ path: join(folder, 'crib.db') }),
  decider: () => ({ behavior: 'allow' }),
  tools: [
    defineTool({
      name: 'add',
      description: 'Adds a version.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => toolOutput({ artifacts: [{ name: 'a.txt', artifact, content: `${mark} ${++number}` }] }),
    }),
  ],
})
console.log('open')
await new Promise((resolve) => process.stdin.once('data', resolve))
process.stdin.destroy()
const surface = await crib.surface({ scope: 'turn' })
const calls = Array.from({ length: Number(count) }, () => crib.call(surface, { name: 'add' }))
const results = await Promise.all(calls)
console.log(`added ${results.filter(({ status }) => status === 'succeeded').length}`)
await crib.close()
