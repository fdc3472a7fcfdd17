/** A vector in few bytes: a 32-bit scale, then one signed byte for each number. */
export type PackedVector = Uint8Array

const SCALE_BYTES = 4
const MOST = 127

export function packVector(vector: Float32Array): PackedVector {
  let largest = 0
  for (const number of vector) largest = Math.max(largest, Math.abs(number))
  const packed = new Uint8Array(SCALE_BYTES + vector.length)
  const scale = largest === 0 ? 1 : largest / MOST
  new DataView(packed.buffer).setFloat32(0, scale, true)
  const numbers = new Int8Array(packed.buffer, SCALE_BYTES)
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round(vector[at]! / scale)
  return packed
}

export function unpackVector(packed: PackedVector): Float32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const scale = view.getFloat32(0, true)
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + SCALE_BYTES, packed.length - SCALE_BYTES)
  return Float32Array.from(numbers, (number) => number * scale)
}

/** Whether these are the bytes of a vector with that many numbers. */
export function isPackedVector(packed: Uint8Array, dimensions: number): boolean {
  if (packed.length !== SCALE_BYTES + dimensions) return false
  return Number.isFinite(new DataView(packed.buffer, packed.byteOffset).getFloat32(0, true))
}
