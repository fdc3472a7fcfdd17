// Streams that fail without a reader: this process must survive and report it.
import { createReadStream } from 'node:fs'
import { createCrib, defineTool, memoryStore, toolOutput } from '../../../lib/index.js'

const gone = () => createReadStream(new URL('./not-there', import.meta.url))
let tell
const told = new Promise((resolve) => (tell = resolve))
let givenUp
const isGivenUp = new Promise((resolve) => (givenUp = resolve))

const tool = (name, execute) =>
  defineTool({ name, description: 'Fails.', isReadOnly: true, isOpenWorld: false, execute })

const late = (open) => async () => {
  await isGivenUp
  const stream = gone()
  stream.once('close', () => tell('closed'))
  return open(stream)
}

const crib = await createCrib({
  store: memoryStore(),
  cancelGraceMs: 10,
  tools: [
    tool('artifact', () =>
      toolOutput({ structured: { ok: true }, artifacts: [{ name: 'a.txt', content: gone() }] }),
    ),
    tool(
      'late',
      late((stream) => stream),
    ),
    tool(
      'late_artifact',
      late((content) => toolOutput({ artifacts: [{ name: 'a.txt', content }] })),
    ),
  ],
})
const surface = await crib.surface({ scope: 'turn' })
console.log('artifact', (await crib.call(surface, { name: 'artifact' })).status)
const results = await Promise.all(
  ['late', 'late_artifact'].map((name) => crib.call(surface, { name, timeoutMs: 20 })),
)
console.log(...results.map(({ status }) => status))
givenUp()
console.log(await told)
// An unhandled error comes in the turn in which the file could not be opened.
await new Promise((resolve) => setTimeout(resolve, 100))
await crib.close()
console.log('alive')
