// Removes a blob that was stored before a time, and waits for a line of input between the check and the removal. With "die"
// it is killed when the blob has lost its name.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [, , path, digest, before, end] = process.argv
for (const name of ['rename', 'unlink']) {
  const work = fs.promises[name]
  fs.promises[name] = async (from, ...to) => {
    if (!from.endsWith(digest.slice(7))) return work(from, ...to)
    console.log('looked')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    await work(from, ...to)
    if (end === 'die') process.kill(process.pid, 'SIGKILL')
  }
}
syncBuiltinESMExports()

const { fileBlobs } = await import('../../../../lib/blobs.js')
const store = fileBlobs({ path })
await store.open()
console.log(`removed ${await store.remove('t', digest, { ifStoredBefore: Number(before) })}`)
await store.close()
process.stdin.destroy()
