import { isObject } from '../platform/json/is-object.js'

/** Reads fields by kind and remembers which were not read. */
export class ProtocolFields {
  readonly #values: Record<string, unknown>
  readonly #place: string
  readonly #left: Set<string>

  constructor(values: Record<string, unknown>, place: string) {
    this.#values = values
    this.#place = place
    this.#left = new Set(Object.keys(values))
  }

  any(name: string): unknown {
    this.#left.delete(name)
    const value: unknown = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    // A program that always prints all fields leaves unused ones empty.
    return value === null ? undefined : value
  }

  text(name: string): string | undefined {
    return this.#read(name, 'a text', (value) => typeof value === 'string') as string | undefined
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) => typeof value === 'boolean') as boolean | undefined
  }

  object(name: string): Record<string, unknown> | undefined {
    return this.#read(name, 'an object', isObject) as Record<string, unknown> | undefined
  }

  texts(name: string): string | string[] | undefined {
    const isText = (value: unknown): boolean => typeof value === 'string'
    return this.#read(
      name,
      'a text or a list of texts',
      (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
    ) as string | string[] | undefined
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const wanted = words.map((word) => `"${word}"`).join(' or ')
    return this.#read(name, wanted, (value) => (words as readonly unknown[]).includes(value)) as
      Word | undefined
  }

  /** Fields that the other reader did not read count as unread here. */
  adopt(other: ProtocolFields): void {
    for (const name of other.unread()) this.#left.add(name.slice(this.#place.length))
  }

  unread(): string[] {
    return [...this.#left].map((name) => `${this.#place}${name}`)
  }

  #read(name: string, kind: string, isKind: (value: unknown) => boolean): unknown {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (!isKind(value)) throw new Error(`its output has "${this.#place}${name}", which must be ${kind}`)
    return value
  }
}
