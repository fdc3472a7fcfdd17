const PREFIX = 'toolcrib://'
const KEPT = /^toolcrib:\/\/(?:invocations\/inv_[0-9a-z]+|artifacts\/art_[0-9a-z]+)\/[\w./-]+$/

/** Whether a text is, as a whole, a ref to something that a crib stores. Called for every text of an input. */
export function isKeptRef(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(PREFIX) && KEPT.test(value)
}
