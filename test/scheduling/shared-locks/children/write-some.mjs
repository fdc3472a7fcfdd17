// Wants to write a few times, and writes down when it did.
import { appendFileSync } from 'node:fs'
import { openLocks } from './open-locks.mjs'

const [, , path, record, name, times] = process.argv
const locks = await openLocks(path, name)
const claims = [{ key: 'path:/work', mode: 'exclusive' }]
const write = (line) => appendFileSync(record, `${JSON.stringify(line)}\n`)
for (let time = 0; time < Number(times); time++) {
  const held = await locks.take(claims)
  write({ at: 'in', id: `${name}.${time}`, name, claims })
  await new Promise(setImmediate)
  write({ at: 'out', id: `${name}.${time}`, name })
  held.release()
}
await locks.close()
