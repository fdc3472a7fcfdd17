// Writes data/o200k-base.bin, the vocabulary for counting tokens, from the npm package that publishes it: the package
// contains every encoding three times, and only one is needed. src/platform/tokens describes the format. Needs a build.
import { writeFileSync } from 'node:fs'
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { bucketOf, BUCKETS } from '../dist/platform/tokens/token-ranks.js'

const buckets = Array.from({ length: BUCKETS }, () => [])
ranks.forEach((token, rank) => {
  const bytes = Buffer.from(token)
  const head = Buffer.alloc(4)
  head.writeUInt8(bytes.length)
  head.writeUIntLE(rank, 1, 3)
  buckets[bucketOf(bytes, 0, bytes.length)].push(head, bytes)
})
const offsets = Buffer.alloc((BUCKETS + 1) * 4)
let end = offsets.length
buckets.forEach((parts, bucket) => {
  offsets.writeUInt32LE(end, bucket * 4)
  for (const { length } of parts) end += length
})
offsets.writeUInt32LE(end, BUCKETS * 4)
writeFileSync(new URL('../data/o200k-base.bin', import.meta.url), Buffer.concat([offsets, ...buckets.flat()]))
