// Reads without end: the next reading is asked for before the one before is over, so that somebody always reads.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openLocks } from './open-locks.mjs'

const [, , path, record, name] = process.argv
const locks = await openLocks(path, name)
const claims = [{ key: 'path:/work/file', mode: 'shared' }]
const write = (line) => appendFileSync(record, `${JSON.stringify(line)}\n`)
let isOver = false
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => (isOver ||= line === 'stop'))

let held = await locks.take(claims)
for (let round = 0; !isOver; round++) {
  const id = `${name}.${round}`
  write({ at: 'in', id, name, claims })
  if (round === 0) console.log('reads')
  await new Promise(setImmediate)
  const next = locks.take(claims)
  // Where a writer has come between, the next one waits for it, and it for this one: this one must not wait for that.
  await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 20))])
  write({ at: 'out', id, name })
  held.release()
  held = await next
}
held.release()
lines.close()
await locks.close()
