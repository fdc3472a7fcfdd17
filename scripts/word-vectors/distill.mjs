import { isContentWord } from '../../dist/search/words/to-stems.js'
import { splitWords } from '../../dist/search/words/split-words.js'

const PASSES = 8
const WORD_SHARE = 0.3

/**
 * Directions of words whose sums point where the encoder points for whole sentences.
 * `words` and `sentences`: `{ texts, vectors }`, the words from common to rare.
 */
export function distill({ words, sentences, encoderDimensions, dimensions }) {
  const reduce = principalAxes(sentences.vectors, encoderDimensions, dimensions)
  const count = words.texts.length
  const vectors = new Float32Array(count * dimensions)
  for (let index = 0; index < count; index++) vectors.set(reduce(words.vectors, index), index * dimensions)
  // Common words say less; how much less is learned with the directions.
  const logWeights = Float32Array.from(words.texts, (_, rank) =>
    Math.log(1e-3 / (1e-3 + 1 / ((rank + 10) * 12))),
  )
  const places = new Map(words.texts.map((word, index) => [word, index]))
  const lessons = [
    ...sentences.texts.map((text, index) => ({
      words: splitWords(text)
        .filter(isContentWord)
        .flatMap((word) => places.get(word) ?? []),
      goal: toUnit(reduce(sentences.vectors, index)),
      share: 1,
    })),
    ...words.texts.map((_, index) => ({
      words: [index],
      goal: toUnit(reduce(words.vectors, index)),
      share: WORD_SHARE,
    })),
  ].filter((lesson) => lesson.words.length > 0)
  train({ lessons, vectors, logWeights, dimensions })
  for (let index = 0; index < count; index++) {
    const weight = Math.exp(logWeights[index])
    for (let at = 0; at < dimensions; at++) vectors[index * dimensions + at] *= weight
  }
  return vectors
}

/** Gradient descent on the cosine, each number at a pace of its own that slows down. */
function train({ lessons, vectors, logWeights, dimensions }) {
  const paces = new Float32Array(vectors.length).fill(1e-3)
  const weightPaces = new Float32Array(logWeights.length).fill(1e-3)
  const random = seeded(7)
  for (let pass = 0; pass < PASSES; pass++) {
    shuffle(lessons, random)
    const rate = 0.05 * (1 - pass / PASSES) + 0.005
    let missed = 0
    for (const { words, goal, share } of lessons) {
      const sum = new Float64Array(dimensions)
      for (const word of words) addTo(sum, vectors, word, Math.exp(logWeights[word]))
      const length = Math.hypot(...sum) || 1e-6
      const cosine = dot(sum, goal) / length
      missed += 1 - cosine
      const slope = sum.map((number, at) => (share * ((cosine * number) / length - goal[at])) / length)
      for (const word of words) {
        const weight = Math.exp(logWeights[word])
        let weightSlope = 0
        for (let at = 0; at < dimensions; at++) {
          const place = word * dimensions + at
          const step = weight * slope[at]
          weightSlope += step * vectors[place]
          paces[place] += step * step
          vectors[place] -= (0.3 * rate * step) / Math.sqrt(paces[place])
        }
        if (words.length === 1) continue
        weightPaces[word] += weightSlope * weightSlope
        logWeights[word] -= (0.2 * rate * weightSlope) / Math.sqrt(weightPaces[word])
      }
    }
    console.log(`pass ${pass + 1} of ${PASSES}: ${(missed / lessons.length).toFixed(4)} from the goal`)
  }
}

/** Subtracts the mean and keeps the axes along which the vectors differ most. */
function principalAxes(vectors, from, to) {
  const count = vectors.length / from
  const mean = new Float64Array(from)
  for (let index = 0; index < vectors.length; index++) mean[index % from] += vectors[index] / count
  const spread = Array.from({ length: from }, () => new Float64Array(from))
  for (let index = 0; index < count; index += 8) {
    const centred = Float64Array.from(mean, (average, at) => vectors[index * from + at] - average)
    for (let a = 0; a < from; a++) for (let b = 0; b < from; b++) spread[a][b] += centred[a] * centred[b]
  }
  const random = seeded(11)
  let axes = Array.from({ length: to }, () => Float64Array.from({ length: from }, () => random() - 0.5))
  for (let round = 0; round < 12; round++) {
    axes = axes.map((axis) => Float64Array.from(spread, (row) => dot(row, axis)))
    for (let index = 0; index < to; index++) {
      for (let before = 0; before < index; before++)
        addTo(axes[index], axes[before], 0, -dot(axes[index], axes[before]))
      axes[index] = toUnit(axes[index])
    }
  }
  return (source, index) => {
    const centred = Float64Array.from(mean, (average, at) => source[index * from + at] - average)
    return Float32Array.from(axes, (axis) => dot(axis, centred))
  }
}

function addTo(sum, vectors, index, weight) {
  for (let at = 0; at < sum.length; at++) sum[at] += weight * vectors[index * sum.length + at]
}

function dot(a, b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at]
  return sum
}

function toUnit(vector) {
  const length = Math.hypot(...vector) || 1
  return vector.map((number) => number / length)
}

function shuffle(list, random) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other], list[at]]
  }
}

function seeded(seed) {
  let state = seed
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
}
