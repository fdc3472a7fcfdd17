const STEPS = 127

/** The file that `load-word-vectors.ts` reads. `known` are words without directions. */
export function pack({ words, vectors, known, dimensions }) {
  const list = Buffer.from([...words, ...known].join('\n'))
  const header = Buffer.alloc(16)
  header.write('TCWV', 0, 'latin1')
  header.writeUInt32LE(words.length, 4)
  header.writeUInt32LE(dimensions, 8)
  header.writeUInt32LE(list.length, 12)
  const scales = Buffer.alloc(4 * words.length)
  const numbers = Buffer.alloc(words.length * dimensions)
  words.forEach((_, index) => {
    const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions)
    const scale = Math.max(...vector.map(Math.abs)) / STEPS || 1
    scales.writeFloatLE(scale, 4 * index)
    vector.forEach((number, at) => numbers.writeInt8(Math.round(number / scale), index * dimensions + at))
  })
  return Buffer.concat([header, list, scales, numbers])
}
