/**
 * What becomes of a secret that is found. `mask`: a mark stands in its place. `drop`: its whole line goes. `hash`: a keyed
 * digest, so that the same secret can be known again. `protect`: a mark, and what it stood in is kept sealed for named
 * actors.
 */
export const redactionWays = ['mask', 'drop', 'hash', 'protect'] as const
export type RedactionWay = (typeof redactionWays)[number]
