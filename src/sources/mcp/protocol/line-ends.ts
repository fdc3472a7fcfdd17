const LF = 10
const CR = 13

/** Gives the place of the next CR or LF from a position on, or -1. Positions must not fall: each byte is looked at once. */
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
