import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownPackage } from '../../platform/files/own-package.js'

/** Word vectors: words that are used alike point alike. Vectors of common words are short, so that they weigh less. */
export interface WordVectors {
  /** Changes with the file. */
  readonly id: string
  readonly dimensions: number
  /** The frequency rank of a known word, the most common first; absent where the word is unknown. */
  rankOf(word: string): number | undefined
  /** Adds the word's vector, times `weight`, to a sum. Some known words have no vector: those add nothing. */
  addTo(sum: Float32Array, rank: number, weight: number): void
}

const MAGIC = 'TCWV'
const HEADER_BYTES = 16

let loading: Promise<WordVectors> | undefined

/** The vectors in the package. They are loaded once, when a search first needs them. */
export function loadWordVectors(): Promise<WordVectors> {
  loading ??= readFile(join(ownPackage(), 'data/word-vectors.bin')).then(toWordVectors)
  return loading
}

/**
 * File format: "TCWV", count of vectors, dimensions and length of the word list as 32-bit numbers; the words, one a
 * line, those with vectors first, the most common first; a 32-bit scale for each vector; one signed byte for each
 * number.
 */
export function toWordVectors(file: Buffer): WordVectors {
  if (!isWhole(file))
    throw new Error('data/word-vectors.bin is not a file of word vectors; install the package again.')
  const count = file.readUInt32LE(4)
  const dimensions = file.readUInt32LE(8)
  const wordBytes = file.readUInt32LE(12)
  const words = file.toString('utf8', HEADER_BYTES, HEADER_BYTES + wordBytes).split('\n')
  const scalesAt = HEADER_BYTES + wordBytes
  const scales = new Float32Array(count)
  for (let rank = 0; rank < count; rank++) scales[rank] = file.readFloatLE(scalesAt + 4 * rank)
  const numbersAt = scalesAt + 4 * count
  const numbers = new Int8Array(file.buffer, file.byteOffset + numbersAt, count * dimensions)
  const ranks = new Map(words.map((word, rank) => [word, rank]))
  return {
    id: createHash('sha256').update(file).digest('base64url'),
    dimensions,
    rankOf: (word) => ranks.get(word),
    addTo(sum, rank, weight) {
      if (rank >= count) return
      const scale = scales[rank]! * weight
      const from = rank * dimensions
      for (let at = 0; at < dimensions; at++) sum[at]! += scale * numbers[from + at]!
    },
  }
}

/** Whether it is a complete file of that format. */
function isWhole(file: Buffer): boolean {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, MAGIC.length) !== MAGIC) return false
  const [count, dimensions, wordBytes] = [4, 8, 12].map((at) => file.readUInt32LE(at)) as [
    number,
    number,
    number,
  ]
  return file.length === HEADER_BYTES + wordBytes + count * (4 + dimensions)
}
