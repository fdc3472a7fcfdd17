import type { Detection } from './detection/detection.js'
import type { Proof } from './proof/proof.js'

export interface Doubts {
  /** Guesses that the proof does not settle. */
  readonly open: Detection['guesses']
  /** It is proven to only read, and yet something in it may write. */
  readonly isContradicted: boolean
}

/** Why a command is not read-only and what is not known of it, the weightiest first. */
export function reasonsOf(
  { reasons, writes }: Detection,
  proof: Proof,
  { open, isContradicted }: Doubts,
): readonly string[] {
  const first = isContradicted
    ? `It seems to read only, but it may write ${writes[0] ?? 'something that cannot be seen'}.`
    : proof.reason
  // Of the right size from the start: an array that grows takes several times the space.
  // oxlint-disable-next-line no-new-array
  const said = new Array<string>(1 + reasons.length + open.length)
  let count = 0
  if (!reasons.includes(first)) said[count++] = first
  for (let at = 0; at < reasons.length; at++) said[count++] = reasons[at]!
  for (let at = 0; at < open.length; at++) {
    const unknown = `What ${open[at]!.program} does is not fully known.`
    if (!said.includes(unknown)) said[count++] = unknown
  }
  if (count < said.length) said.length = count
  return said
}
