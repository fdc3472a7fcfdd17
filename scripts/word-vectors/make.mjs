import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isContentWord } from '../../dist/search/words/to-stems.js'
import { splitWords } from '../../dist/search/words/split-words.js'
import { readCommonWords, readDefinitions, readDocumentation } from './collect.mjs'
import { distill } from './distill.mjs'
import { embedAll, ENCODER_DIMENSIONS } from './embed.mjs'
import { pack } from './pack.mjs'

const COMMON = 40_000
const KNOWN = 70_000
const WITH_DIRECTION = 32_768
const DIMENSIONS = 128
const MIN_TIMES = 4
const DEFINITIONS = 80_000

const { values } = parseArgs({
  options: {
    docs: { type: 'string', multiple: true, default: ['../../node_modules'] },
    out: { type: 'string', default: '../../data/word-vectors.bin' },
    sample: { type: 'string' },
  },
})
const most = values.sample ? Number(values.sample) : Infinity

const everyNth = (list, atMost = most) => {
  const step = Math.max(1, Math.ceil(list.length / atMost))
  return list.filter((_, index) => index % step === 0)
}
const glove = readCommonWords(KNOWN).filter(isContentWord)
const documentation = everyNth(readDocumentation(values.docs))
const texts = [...everyNth(readDefinitions(), Math.min(DEFINITIONS, most)), ...documentation]
const common = everyNth(glove.slice(0, COMMON))
const names = readFileSync(new URL('names.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const isCommon = new Set(common)
const technical = [...new Set([...wordsOften(documentation), ...names])].filter((word) => !isCommon.has(word))
const words = [...common, ...technical]
console.log(`${texts.length} sentences, ${words.length} words`)

const sentences = { texts, vectors: await embedAll(texts, 'sentences') }
const vectors = distill({
  words: { texts: words, vectors: await embedAll(words, 'words') },
  sentences,
  encoderDimensions: ENCODER_DIMENSIONS,
  dimensions: DIMENSIONS,
})
const kept = [...common.slice(0, WITH_DIRECTION - technical.length), ...technical]
const places = new Map(words.map((word, index) => [word, index]))
const directions = new Float32Array(kept.length * DIMENSIONS)
kept.forEach((word, index) => {
  const from = places.get(word) * DIMENSIONS
  directions.set(vectors.subarray(from, from + DIMENSIONS), index * DIMENSIONS)
})
const isKept = new Set(kept)
const known = [...new Set([...words, ...glove])].filter((word) => word.length > 3 && !isKept.has(word))
writeFileSync(values.out, pack({ words: kept, vectors: directions, known, dimensions: DIMENSIONS }))
console.log(`${values.out}: ${kept.length} words with directions, ${known.length} more`)

function wordsOften(some) {
  const times = new Map()
  for (const text of some) {
    for (const word of new Set(splitWords(text))) times.set(word, (times.get(word) ?? 0) + 1)
  }
  return [...times]
    .filter(
      ([word, count]) => count >= MIN_TIMES && /^[a-z][a-z0-9]{2,18}$/.test(word) && isContentWord(word),
    )
    .map(([word]) => word)
}
