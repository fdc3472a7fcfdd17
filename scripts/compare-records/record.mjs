// Runs the session with one build and writes what it recorded, one line of JSON for each fact.
//   node record.mjs <build> <output> <folder> [part …]
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openWorld } from './open-world.mjs'
import { recordGateway } from './record-gateway.mjs'
import { parts } from './parts/parts.mjs'

const [, , build, output, folder, ...wanted] = process.argv
const lib = await import(pathToFileURL(join(build, 'lib/index.js')).href)
const file = createWriteStream(output)
const put = (section, label, value) => {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  file.write(`${JSON.stringify({ section, label, text })}\n`)
}
const isWanted = (name) => wanted.length === 0 || wanted.includes(name)

for (const part of parts.filter(({ name }) => isWanted(name)))
  for (const kind of ['memory', 'sqlite'])
    for (const isWatched of [true, false]) {
      const world = await openWorld({ lib, build, folder, part, kind, isWatched, put })
      await part.run(world)
      await world.end()
    }
if (isWanted('gateway')) await recordGateway({ lib, build, folder, put })
file.end()
await once(file, 'finish')
process.exit(0)
