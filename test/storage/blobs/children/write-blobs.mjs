// Stores blobs without end, several at a time, until it is killed. Prints the digest of each committed blob.
import { createHash, randomBytes } from 'node:crypto'
import { fileBlobs } from '../../../../lib/blobs.js'

const [, , path, tenant] = process.argv
const store = fileBlobs({ path })
await store.open()

async function storeForever() {
  for (let n = 0; ; n++) {
    // Some of them the same in all processes and at all times, of all sizes up to some megabytes.
    const seed = n % 3 === 0 ? `shared ${(n / 3) % 7}` : randomBytes(8).toString('hex')
    const start = createHash('sha256').update(seed).digest()
    const bytes = Buffer.alloc([10, 5_000, 200_000, 3_000_000][start[0] % 4] + start[1], start)
    const writer = await store.create(tenant)
    for (let at = 0; at < bytes.length; at += 50_000) await writer.write(bytes.subarray(at, at + 50_000))
    if (n % 11 === 10) await writer.abort()
    else process.stdout.write(`${(await writer.commit()).digest}\n`)
  }
}

console.log('writing')
await Promise.all([storeForever(), storeForever(), storeForever()])
