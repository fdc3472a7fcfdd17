// Resolves refs with nothing but the store: no tools, no rules, no hooks. The refs come as JSON on stdin.
import { text } from 'node:stream/consumers'
import { createCrib, sqliteStore } from 'toolcrib'

const [path] = process.argv.slice(2)
const crib = await createCrib({ store: sqliteStore({ path }) })
const found = {}
for (const ref of JSON.parse(await text(process.stdin))) found[ref] = await crib.resolveRef(ref)
await crib.close()
process.stdout.write(JSON.stringify(found))
