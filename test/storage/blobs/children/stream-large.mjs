// Stores and reads a blob that is much larger than the memory of this process, and prints how much the memory grew.
import { createHash } from 'node:crypto'
import { fileBlobs } from '../../../../lib/blobs.js'

const [, , path, megabytes] = process.argv
const store = fileBlobs({ path })
await store.open()
const warmUp = await store.create('t')
await warmUp.write(Buffer.alloc(4_000_000))
await warmUp.commit()

const before = process.memoryUsage.rss()
let peak = before
const look = () => (peak = Math.max(peak, process.memoryUsage.rss()))

const chunk = Buffer.alloc(1_000_000)
const wanted = createHash('sha256')
const writer = await store.create('t')
for (let n = 0; n < Number(megabytes); n++) {
  chunk.writeUInt32LE(n, (n * 7919) % 900_000)
  wanted.update(chunk)
  await writer.write(chunk)
  look()
}
const { digest, sizeBytes } = await writer.commit()
const found = createHash('sha256')
for await (const part of store.read('t', digest, { verify: true })) {
  found.update(part)
  look()
}
await store.close()
const same = `sha256:${wanted.digest('hex')}` === digest && `sha256:${found.digest('hex')}` === digest
console.log(JSON.stringify({ same, sizeBytes, grownBytes: peak - before }))
