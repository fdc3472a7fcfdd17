// Raises the number in a file, with a pause between reading and writing in which anybody else would be lost.
import { readFileSync, writeFileSync } from 'node:fs'
import { openLocks } from './open-locks.mjs'

const [, , path, file, name, times] = process.argv
const locks = await openLocks(path, name)
for (let time = 0; time < Number(times); time++) {
  const held = await locks.take([{ key: `path:${file}`, mode: 'exclusive' }])
  const seen = Number(readFileSync(file, 'utf8'))
  await new Promise(setImmediate)
  writeFileSync(file, String(seen + 1))
  held.release()
}
await locks.close()
