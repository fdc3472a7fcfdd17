// Writes data/o200k-base.bin, the vocabulary for counting tokens, from the npm package that publishes it: the package
// contains every encoding three times, and only one is needed. src/platform/tokens describes the format.
import { writeFileSync } from 'node:fs'
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'

const parts = ranks.flatMap((token) => {
  const bytes = Buffer.from(token)
  return [Buffer.of(bytes.length), bytes]
})
writeFileSync(new URL('../data/o200k-base.bin', import.meta.url), Buffer.concat(parts))
