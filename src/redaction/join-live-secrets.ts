import type { LiveSecrets } from './live-secrets.js'

/** The own secrets and those of another owner, which may change at any time. New secrets are added to the own ones. */
export function joinLiveSecrets(own: LiveSecrets, others: LiveSecrets): LiveSecrets {
  return new JoinedSecrets(own, others)
}

// A class, because every call reads it: an object that has accessors of its own is slow to read.
class JoinedSecrets implements LiveSecrets {
  readonly #own: LiveSecrets
  readonly #others: LiveSecrets
  #seenOwn: readonly string[] | undefined = undefined
  #seenOthers: readonly string[] | undefined = undefined
  #list: readonly string[] = []

  constructor(own: LiveSecrets, others: LiveSecrets) {
    this.#own = own
    this.#others = others
  }

  readonly add = (secret: string): (() => void) => this.#own.add(secret)

  /** The same list as long as nothing changes: its forms are computed once. */
  get list(): readonly string[] {
    const own = this.#own.list
    const others = this.#others.list
    if (this.#seenOwn !== own || this.#seenOthers !== others) {
      this.#seenOwn = own
      this.#seenOthers = others
      this.#list = [...new Set([...own, ...others])].sort((a, b) => b.length - a.length)
    }
    return this.#list
  }
}
