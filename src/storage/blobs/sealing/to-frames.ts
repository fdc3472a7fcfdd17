export interface Frame {
  bytes: Buffer
  isLast: boolean
}

/**
 * The same bytes in pieces of one size, except for the first, which may have another size, and the last, which may be
 * shorter.
 */
export async function* toFrames(
  source: AsyncIterable<Uint8Array>,
  { firstBytes, frameBytes }: { firstBytes: number; frameBytes: number },
): AsyncGenerator<Frame> {
  let frame = Buffer.allocUnsafe(firstBytes)
  let used = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      // Only when more follows is it known that the full frame is not the last.
      if (used === frame.length) {
        yield { bytes: frame, isLast: false }
        frame = Buffer.allocUnsafe(frameBytes)
        used = 0
      }
      const part = chunk.subarray(at, at + frame.length - used)
      frame.set(part, used)
      used += part.length
      at += part.length
    }
  }
  yield { bytes: frame.subarray(0, used), isLast: true }
}
