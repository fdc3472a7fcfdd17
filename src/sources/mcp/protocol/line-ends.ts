const LF = 10
const CR = 13

/** Returns the position of the next CR or LF, or -1. Positions must not decrease: each byte is searched once. */
export function findLineEnds(bytes: Buffer): (from: number) => number {
  let nextLf = bytes.indexOf(LF)
  let nextCr = bytes.indexOf(CR)
  return (from) => {
    if (nextLf !== -1 && nextLf < from) nextLf = bytes.indexOf(LF, from)
    if (nextCr !== -1 && nextCr < from) nextCr = bytes.indexOf(CR, from)
    if (nextLf === -1 || nextCr === -1) return Math.max(nextLf, nextCr)
    return Math.min(nextLf, nextCr)
  }
}
