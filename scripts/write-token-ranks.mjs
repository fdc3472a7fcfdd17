// Writes data/o200k-base.bin, the vocabulary by which tokens are counted, from the npm package that publishes it: the
// package holds every encoding three times over, and one is needed. The format is told in src/platform/tokens.
import { writeFileSync } from 'node:fs'
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'

const parts = ranks.flatMap((token) => {
  const bytes = Buffer.from(token)
  return [Buffer.of(bytes.length), bytes]
})
writeFileSync(new URL('../data/o200k-base.bin', import.meta.url), Buffer.concat(parts))
