/** The ordinals of the largest values above 0, largest first; equals in the order of their ordinals. */
export function bestOf(values: Float32Array, count: number): Int32Array {
  // A heap whose first is the worst of those kept: nearly every value is turned away after one comparison.
  const heap = new Int32Array(Math.min(count, values.length))
  let size = 0
  const isWorse = (a: number, b: number): boolean =>
    values[a]! < values[b]! || (values[a] === values[b] && a > b)

  function sink(from: number): void {
    const ordinal = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && isWorse(heap[child + 1]!, heap[child]!)) child++
      if (!isWorse(heap[child]!, ordinal)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = ordinal
  }

  let bar = 0
  for (let ordinal = 0; ordinal < values.length; ordinal++) {
    if (values[ordinal]! <= bar) continue
    if (size < heap.length) {
      heap[size++] = ordinal
      if (size < heap.length) continue
      for (let at = (size >> 1) - 1; at >= 0; at--) sink(at)
    } else {
      heap[0] = ordinal
      sink(0)
    }
    bar = values[heap[0]!]!
  }
  return heap.slice(0, size).sort((a, b) => (isWorse(a, b) ? 1 : -1))
}
