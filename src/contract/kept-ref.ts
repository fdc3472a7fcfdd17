const PREFIX = 'toolcrib://'
const KEPT = /^toolcrib:\/\/(?:invocations\/inv_[0-9a-z]+|artifacts\/art_[0-9a-z]+)\/[\w./-]+$/

/** Whether a text is, as a whole, a ref to something that a crib keeps. Asked of every text that a call is given. */
export function isKeptRef(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(PREFIX) && KEPT.test(value)
}
