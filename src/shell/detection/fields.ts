import { ANYTHING, UNKNOWN, escapeWildcards, type Arg, type SpecialArg } from './arg.js'

const MAX_FIELDS = 64
// A variable that is appended to itself doubles; no real path is this long.
const MAX_CHARS = 4096

/** One word during expansion: the fields that it is split into, and what is known of them. */
export class Fields {
  readonly done: SpecialArg[] = []
  isLiteral = true
  /** How many combinations of values its variables have. */
  ways = 1
  private value = ''
  private path = ''
  private isKnown = true
  private isOpen = false

  /** `way` selects one value of every variable that may have several. */
  constructor(private way: number) {}

  /** Literal characters. */
  addText(text: string): void {
    this.value += text
    this.path += escapeWildcards(text)
    this.isOpen = true
  }

  /** Characters with wildcards. */
  addPattern(value: string, path = value): void {
    this.value += value
    this.path += path
    this.isOpen = true
    this.isLiteral = false
  }

  /** Text that only the shell can expand, such as `$x`. */
  addUnknown(written: string): void {
    this.value += written
    // At the start of a word it may be an absolute path.
    this.path += this.path === '' ? `/${ANYTHING}` : ANYTHING
    this.isKnown = false
    this.isOpen = true
    this.isLiteral = false
  }

  /** The value of a variable between double quotes. */
  addWhole(arg: Arg): void {
    if (typeof arg === 'string') this.addPattern(arg)
    else if (arg.isKnown) this.addPattern(arg.value, arg.path)
    else this.addPartly(arg)
  }

  /** The value of an unquoted variable: it is split at `separators`, and its wildcards count. */
  addSplit(arg: Arg, separators: string): void {
    if (typeof arg !== 'string' && !arg.isKnown) return this.addPartly(arg)
    this.isLiteral = false
    let start = 0
    const text = typeof arg === 'string' ? arg : arg.value
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && !separators.includes(text[at]!)) continue
      if (at > start) this.addPattern(text.slice(start, at))
      if (at < text.length) this.close()
      start = at + 1
    }
  }

  pick(values: readonly Arg[]): Arg {
    if (values.length === 1) return values[0]!
    const chosen = values[this.way % values.length]!
    this.way = Math.floor(this.way / values.length)
    this.ways *= values.length
    return chosen
  }

  /** Starts another field. */
  close(): void {
    if (!this.isOpen) return
    const { value, path, isKnown, isLiteral } = this
    if (this.done.length >= MAX_FIELDS) this.done[MAX_FIELDS - 1] = UNKNOWN
    else if (value.length > MAX_CHARS || path.length > MAX_CHARS) this.addLong()
    else this.done.push({ written: '', value, path, also: undefined, isKnown, isLiteral })
    this.value = ''
    this.path = ''
    this.isKnown = true
    this.isOpen = false
  }

  private addLong(): void {
    this.isLiteral = false
    this.done.push(UNKNOWN)
  }

  private addPartly({ value, path }: SpecialArg): void {
    this.value += value
    this.path += this.path === '' || !path.startsWith(`/${ANYTHING}`) ? path : path.slice(1)
    this.isKnown = false
    this.isOpen = true
    this.isLiteral = false
  }
}
