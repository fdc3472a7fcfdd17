// Takes one lock, says so, and gives it back when it is told to. While it waits, nothing else keeps it alive.
import { createInterface } from 'node:readline'
import { openLocks } from './open-locks.mjs'

const [, , path, name, key, mode] = process.argv
const locks = await openLocks(path, name)
const held = await locks.take([{ key, mode }])
console.log('held')
const lines = createInterface({ input: process.stdin })
for await (const line of lines) if (line === 'release') break
lines.close()
held.release()
await locks.close()
