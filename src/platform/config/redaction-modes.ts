/**
 * What replaces a secret that is found. `mask`: a mark. `drop`: its whole line is removed. `hash`: a keyed digest, so
 * that the same secret can be recognized. `protect`: a mark, and the original text is stored sealed for named actors.
 */
export const redactionModes = ['mask', 'drop', 'hash', 'protect'] as const
export type RedactionMode = (typeof redactionModes)[number]
