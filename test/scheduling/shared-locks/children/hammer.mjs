// Takes claims of all kinds over and over, several at a time, and writes down when it is inside and when it leaves.
import { appendFileSync } from 'node:fs'
import { openLocks } from './open-locks.mjs'

const [, , path, record, name, rounds] = process.argv
const locks = await openLocks(path, name)
const LANES = 3
const CLAIMS = [
  { key: 'path:/work', mode: 'exclusive' },
  { key: 'path:/work', mode: 'shared' },
  { key: 'path:/work/a', mode: 'exclusive' },
  { key: 'path:/work/b', mode: 'exclusive' },
  { key: 'path:/work/b', mode: 'shared' },
  { key: 'path:/workshop', mode: 'exclusive' },
  { key: 'db:main', mode: 'shared' },
  { key: 'db:main', mode: 'exclusive' },
  { key: 'page', width: 2 },
]

const some = (count) => Math.floor(Math.random() * count)
const write = (line) => appendFileSync(record, `${JSON.stringify(line)}\n`)

async function queue(number) {
  for (let round = 0; round < Number(rounds); round++) {
    const claims = Array.from({ length: 1 + some(3) }, () => CLAIMS[some(CLAIMS.length)])
    const id = `${name}.${number}.${round}`
    const held = await locks.take(claims)
    write({ at: 'in', id, name, claims })
    if (some(2) === 0) await new Promise((resolve) => setTimeout(resolve, some(4)))
    write({ at: 'out', id, name })
    held.release()
    if (some(2) === 0) await new Promise(setImmediate)
  }
}

await Promise.all(Array.from({ length: LANES }, (_, number) => queue(number)))
await locks.close()
