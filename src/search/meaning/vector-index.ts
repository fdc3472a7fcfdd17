/** Unit vectors by ordinal. */
export interface VectorIndex {
  set(ordinal: number, vector: Float32Array): void
  /**
   * Assigns new ordinals in the same order: `next` by old ordinal, -1 where the vector was removed. Nothing changes
   * before the returned function is called, and that cannot fail: several indexes stay in step.
   */
  renumber(next: Int32Array): () => void
  /** The similarity of the vectors to another, from -1 to 1, by ordinal; 0 where there is none. `among`: only these. */
  nearness(to: Float32Array, among?: Int32Array): Float32Array
}

export function createVectorIndex(dimensions: number): VectorIndex {
  let numbers = new Float32Array(0)
  let size = 0

  function grow(ordinal: number): void {
    size = Math.max(size, ordinal + 1)
    if (size * dimensions <= numbers.length) return
    const more = new Float32Array(Math.max(64, size, (numbers.length / dimensions) * 2) * dimensions)
    more.set(numbers)
    numbers = more
  }

  /** Four parallel sums: with one, each addition would wait for the one before. */
  function product(other: Float32Array, from: number): number {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let at = 0; at < dimensions; at += 4) {
      a += other[at]! * numbers[from + at]!
      b += other[at + 1]! * numbers[from + at + 1]!
      c += other[at + 2]! * numbers[from + at + 2]!
      d += other[at + 3]! * numbers[from + at + 3]!
    }
    return a + b + c + d
  }

  return {
    set(ordinal, vector) {
      grow(ordinal)
      numbers.set(vector, ordinal * dimensions)
    },
    renumber(next) {
      const known = next.subarray(0, size)
      const fewer = new Float32Array((known.reduce((most, to) => Math.max(most, to), -1) + 1) * dimensions)
      known.forEach((to, ordinal) => {
        if (to === -1) return
        const from = ordinal * dimensions
        fewer.set(numbers.subarray(from, from + dimensions), to * dimensions)
      })
      return () => {
        numbers = fewer
        size = fewer.length / dimensions
      }
    },
    nearness(to, among) {
      const near = new Float32Array(size)
      if (among) {
        for (const ordinal of among) if (ordinal < size) near[ordinal] = product(to, ordinal * dimensions)
      } else {
        for (let ordinal = 0; ordinal < size; ordinal++) near[ordinal] = product(to, ordinal * dimensions)
      }
      return near
    },
  }
}
