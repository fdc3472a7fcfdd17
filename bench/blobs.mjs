// The cost of a blob store in files compared with a plain file: 1 GB written durably, and read. The contenders take
// turns in each round, so that a noisy disk affects all; figures are medians. Reads hit the system's file cache.
import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileBlobs } from 'toolcrib/blobs'

const MEGABYTES = Number(process.env.MEGABYTES ?? 1000)
const ROUNDS = Number(process.env.ROUNDS ?? 6)
const chunk = randomFillSync(Buffer.alloc(1_000_000))

const folder = mkdtempSync(join(process.env.FOLDER ?? tmpdir(), 'toolcrib-bench-'))
// A new file each time, as a blob is: on some disks overwriting is faster.
const plain = (round, kind) => join(folder, `${kind}-${round}`)
const store = fileBlobs({ path: join(folder, 'blobs') })
await store.open()

/** Different bytes in each round, so that no blob exists already. */
function* chunks(round) {
  for (let n = 0; n < MEGABYTES; n++) {
    chunk.writeUInt32LE(n + round * MEGABYTES)
    yield chunk
  }
}

let digest
const candidates = {
  'write: a write stream and fsync': async (round) => {
    const path = plain(round, 'stream')
    const file = await open(path, 'wx', 0o600)
    // A new chunk each time: the stream may hold several.
    const source = Readable.from(
      (function* () {
        for (const each of chunks(round)) yield Buffer.from(each)
      })(),
    )
    await pipeline(source, createWriteStream(path, { fd: file.fd, autoClose: false }))
    await file.sync()
    await file.close()
  },
  'write: the same, with SHA-256': async (round) => {
    const path = plain(round, 'hashed')
    const file = await open(path, 'wx', 0o600)
    const hash = createHash('sha256')
    const source = Readable.from(
      (function* () {
        for (const each of chunks(round)) {
          hash.update(each)
          yield Buffer.from(each)
        }
      })(),
    )
    await pipeline(source, createWriteStream(path, { fd: file.fd, autoClose: false }))
    await file.sync()
    await file.close()
    hash.digest()
  },
  'write: blob store': async (round) => {
    const writer = await store.create('bench')
    for (const each of chunks(round)) await writer.write(each)
    ;({ digest } = await writer.commit())
  },
  'read: a read stream': async (round) => {
    let bytes = 0
    for await (const each of createReadStream(plain(round, 'stream'), { highWaterMark: 512 * 1024 }))
      bytes += each.length
    return bytes
  },
  'read: blob store': async () => {
    let bytes = 0
    for await (const each of store.read('bench', digest)) bytes += each.length
    return bytes
  },
  'read: blob store, verified': async () => {
    let bytes = 0
    for await (const each of store.read('bench', digest, { verify: true })) bytes += each.length
    return bytes
  },
}

const speeds = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]))
const writes = Object.keys(candidates).filter((name) => name.startsWith('write'))
const reads = Object.keys(candidates).filter((name) => name.startsWith('read'))
try {
  for (let round = 0; round < ROUNDS; round++) {
    // A different one goes first each time: disks that slow down after a burst of writes are unfair to the last.
    const first = round % writes.length
    for (const name of [...writes.slice(first), ...writes.slice(0, first), ...reads]) {
      const start = performance.now()
      await candidates[name](round)
      speeds[name].push(MEGABYTES / ((performance.now() - start) / 1000))
    }
    for (const kind of ['stream', 'hashed']) rmSync(plain(round, kind))
    await store.remove('bench', digest)
  }
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
console.log(`${MEGABYTES} MB, median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}`)
for (const [name, values] of Object.entries(speeds)) {
  const beside = name.startsWith('write') ? 'write: a write stream and fsync' : 'read: a read stream'
  const ratio = median(values) / median(speeds[beside])
  console.log(`${name.padEnd(36)}${median(values).toFixed(0).padStart(8)} MB/s  × ${ratio.toFixed(2)}`)
}
