/** A page may nest as deeply as it likes; further levels are not indented. */
const MAX_PREFIXES = 16

interface Prefix {
  /** Starts the first line: `- `. */
  first: string | undefined
  /** Starts the other lines. */
  readonly rest: string
}

export interface WriterOptions {
  /** Everything goes into one line: blocks are set apart by a space. */
  readonly isFlat?: boolean
}

/** Lays out words in lines: single spaces, blank lines between blocks, and prefixes of lists and quotes. */
export class MarkdownWriter {
  readonly #isFlat: boolean
  #out = ''
  #hasText = false
  /** Line breaks before the next word. */
  #breaks = 0
  #hasSpace = false
  #prefixes: Prefix[] = []
  /** Levels without a prefix. */
  #deeper = 0
  /** Marks that start with the next word: `**`. */
  #marks: string[] = []
  /** Whether the text began with a space. */
  startsWithSpace = false

  constructor({ isFlat = false }: WriterOptions = {}) {
    this.#isFlat = isFlat
  }

  get endsWithSpace(): boolean {
    return this.#hasSpace
  }

  /** What has been written since the last time. */
  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  /** Words; any white space between them is one space. */
  text(text: string): void {
    for (const part of text.split(/([ \t\n\r\f]+)/)) {
      if (part === '') continue
      if (/^[ \t\n\r\f]/.test(part)) this.space()
      else this.word(part)
    }
  }

  space(): void {
    if (this.#hasText) this.#hasSpace = this.#breaks === 0
    else this.startsWithSpace = true
  }

  /** A text that is written as it is. */
  word(text: string): void {
    this.#begin()
    if (this.#hasSpace) this.#out += ' '
    this.#hasSpace = false
    if (this.#marks.length > 0) this.#out += this.#marks.splice(0).join('')
    this.#out += text
    this.#hasText = true
  }

  /** Starts a mark. Without words before its end it is left out. */
  open(mark: string): void {
    this.#marks.push(mark)
  }

  close(mark: string): void {
    const at = this.#marks.lastIndexOf(mark)
    if (at !== -1) this.#marks.splice(at, 1)
    else this.#out += mark
  }

  /** The next word is in a new line. */
  line(): void {
    this.#break(1)
  }

  /** The next word is in a new block, after a blank line. */
  block(): void {
    this.#break(2)
  }

  #break(count: number): void {
    if (this.#isFlat) return this.space()
    this.#breaks = Math.max(this.#breaks, count)
    this.#hasSpace = false
  }

  /** Lines that are written as they are, in a block of their own. */
  lines(text: string): void {
    this.block()
    for (const line of text.split('\n')) {
      this.#breaks = Math.max(this.#breaks, 1)
      this.#begin()
      this.#out += line
      this.#hasText = true
    }
    this.block()
  }

  /** Lines from now on start with a prefix, the first one with another. */
  indent(rest: string, first = rest): void {
    if (this.#prefixes.length < MAX_PREFIXES && !this.#isFlat) this.#prefixes.push({ first, rest })
    else this.#deeper++
  }

  outdent(): void {
    if (this.#deeper > 0) this.#deeper--
    else this.#prefixes.pop()
  }

  #begin(): void {
    if (this.#hasText && this.#breaks === 0) return
    if (this.#hasText)
      for (let left = this.#breaks; left > 0; left--) {
        this.#out += '\n'
        if (left > 1) this.#out += this.#blank()
      }
    this.#breaks = 0
    for (const prefix of this.#prefixes) {
      this.#out += prefix.first ?? prefix.rest
      prefix.first = undefined
    }
  }

  /** The prefixes of a blank line: those of what has begun above it. */
  #blank(): string {
    return this.#prefixes
      .filter(({ first }) => first === undefined)
      .map(({ rest }) => rest)
      .join('')
      .trimEnd()
  }
}
