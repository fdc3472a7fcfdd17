// Follows the log until it has seen the given number of progress events, then prints what came.
import { createCrib, sqliteStore } from '../../../lib/index.js'

const [, , path, from, wanted] = process.argv
const crib = await createCrib({ store: sqliteStore({ path, pollMs: 5 }) })
const controller = new AbortController()
console.log('ready')
const seen = []
for await (const event of crib.events({ follow: true, from, signal: controller.signal })) {
  if (event.event_type !== 'tool.invocation.progress') continue
  seen.push(`${event.toolcrib.cursor} ${event.subject} ${event.toolcrib.sequence}`)
  if (seen.length === Number(wanted)) controller.abort()
}
await crib.close()
console.log(`seen ${JSON.stringify(seen)}`)
