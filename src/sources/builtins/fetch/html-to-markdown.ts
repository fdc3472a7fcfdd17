import { Parser } from 'htmlparser2'
import { cleanLine, cleanText } from '../../../platform/text/clean-text.js'
import { isHidden } from './is-hidden.js'
import { MarkdownWriter } from './markdown-writer.js'

export interface HtmlOptions {
  /** The address of the page: links are relative to it. */
  readonly url: URL
  /** `text`: words alone, without marks and addresses. */
  readonly format: 'markdown' | 'text'
}

/** Reads a page piece by piece. */
export interface HtmlReader {
  /** The Markdown of the pieces so far that has not been returned yet. */
  write(html: string): string
  end(): string
  /** At the end: whether the rest of the page is left out, because its elements are nested too deeply. */
  readonly isCut: boolean
  /** Empty until it has been read. */
  readonly title: string
}

type Attributes = Readonly<Record<string, string>>

interface OpenElement {
  readonly name: string
  /** Ends what the element has started. */
  readonly close: (() => void) | undefined
}

interface Table {
  rows: number
  cells: string[]
  /** Its cells hold blocks: they are written one below the other. */
  isLayout: boolean
}

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside body center details dd div dl dt fieldset figcaption figure footer form header hgroup ' +
    'legend main nav p section summary caption menu search'
  ).split(' '),
)
/** A cell that holds one of these is no cell of data. */
const BREAKS_CELLS: ReadonlySet<string> = new Set(
  'table ul ol h1 h2 h3 h4 h5 h6 pre blockquote hr'.split(' '),
)
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', em: '_', i: '_', del: '~~', s: '~~' }
/** In the head only these are read. */
const HEAD: ReadonlySet<string> = new Set(['title', 'base'])
const MAX_TITLE_CHARS = 300
const MAX_URL_CHARS = 2_000
const MAX_CAPTURES = 8
/** Browsers stop at 512; the time that a page takes grows with the square of its depth. */
const MAX_DEPTH = 4_000
/** The depth is looked at after each piece. */
const PIECE_CHARS = 8_192

/** The words of an HTML page that a person would see, as Markdown or plain text. Nothing is run and nothing is loaded. */
export function htmlToMarkdown({ url, format }: HtmlOptions): HtmlReader {
  const page = new Page(url, format === 'markdown')
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (text) => page.text(text),
    onclosetag: (name) => page.close(name),
  })
  let isCut = false
  return {
    write(html) {
      for (let at = 0; at < html.length && !page.isTooDeep; at += PIECE_CHARS)
        parser.write(html.slice(at, at + PIECE_CHARS))
      return page.take()
    },
    end() {
      isCut = page.isTooDeep
      parser.end()
      return page.take()
    },
    get isCut() {
      return isCut
    },
    get title() {
      return cleanLine(page.title, MAX_TITLE_CHARS)
    },
  }
}

class Page {
  readonly #isMarked: boolean
  #base: URL
  #opened: OpenElement[] = []
  /** How many open elements hide their text. */
  #hidden = 0
  #pre: string | undefined
  #isTitle = false
  #isHeading = false
  title = ''
  /** The page, and the lines within it that are complete only at their end. */
  #writers = [new MarkdownWriter()]
  #tables: Table[] = []
  #lists: { count: number | undefined }[] = []

  constructor(base: URL, isMarked: boolean) {
    this.#base = base
    this.#isMarked = isMarked
  }

  get #writer(): MarkdownWriter {
    return this.#writers.at(-1)!
  }

  get isTooDeep(): boolean {
    return this.#opened.length > MAX_DEPTH
  }

  take(): string {
    return cleanText(this.#writers[0]!.take())
  }

  open(name: string, attributes: Attributes): void {
    const isInHead = this.#opened.at(-1)?.name === 'head' && !HEAD.has(name)
    if (this.#hidden > 0 || isInHead || isHidden(name, attributes)) {
      this.#hidden++
      this.#opened.push({ name, close: () => this.#hidden-- })
      return
    }
    if (this.#tables.length > 0 && BREAKS_CELLS.has(name)) this.#leaveCell()
    this.#opened.push({ name, close: this.#start(name, attributes) })
  }

  close(name: string): void {
    // The parser also reports the end of elements that were never opened, such as </p>.
    if (this.#opened.at(-1)?.name === name) this.#opened.pop()!.close?.()
  }

  text(text: string): void {
    if (this.#isTitle) this.title = (this.title + text).slice(0, 4 * MAX_TITLE_CHARS)
    else if (this.#hidden > 0) return
    else if (this.#pre === undefined) this.#writer.text(text)
    else this.#pre += text
  }

  /** Starts an element, and returns how it ends. */
  #start(name: string, attributes: Attributes): (() => void) | undefined {
    switch (name) {
      case 'title':
        // The title of a page; pictures have titles too, and are hidden.
        this.#isTitle = this.title === ''
        return () => (this.#isTitle = false)
      case 'base':
        this.#base = this.#resolve(attributes['href']) ?? this.#base
        return undefined
      case 'br':
        return void (this.#pre === undefined ? this.#writer.line() : (this.#pre += '\n'))
      case 'hr':
        return void this.#writer.lines('---')
      case 'img':
        return void this.#image(attributes)
      case 'a':
        return this.#link(attributes)
      case 'code':
      case 'kbd':
      case 'samp':
        return this.#code()
      case 'pre':
      case 'textarea':
      case 'listing':
        return this.#preformatted()
      case 'ul':
      case 'ol':
        return this.#list(name, attributes)
      case 'li':
        return this.#item()
      case 'blockquote':
        return this.#quote()
      case 'table':
        return this.#table()
      case 'tr':
        return this.#row()
      case 'td':
      case 'th':
        return this.#cell()
      default:
        return this.#plain(name)
    }
  }

  #plain(name: string): (() => void) | undefined {
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) return this.#heading(Number(level))
    const mark = MARKS[name]
    if (mark !== undefined && Object.hasOwn(MARKS, name)) return this.#marked(mark)
    if (!BLOCKS.has(name)) return undefined
    this.#block()
    return () => this.#block()
  }

  #block(): void {
    if (this.#pre === undefined) this.#writer.block()
  }

  #heading(level: number): () => void {
    const wasHeading = this.#isHeading
    this.#block()
    if (this.#writers.length > 1) return () => this.#block()
    const end = this.#capture()
    this.#isHeading = true
    return () => {
      this.#isHeading = wasHeading
      const text = end()
      if (text !== '') this.#writer.word(this.#isMarked ? `${'#'.repeat(level)} ${text}` : text)
      this.#block()
    }
  }

  #marked(mark: string): (() => void) | undefined {
    if (!this.#isMarked || this.#isHeading || this.#pre !== undefined) return undefined
    const writer = this.#writer
    writer.open(mark)
    return () => writer.close(mark)
  }

  /** Collects a line; returns how it ends, with its text. */
  #capture(): () => string {
    if (this.#writers.length > MAX_CAPTURES) return () => ''
    const writer = new MarkdownWriter({ isFlat: true })
    const outer = this.#writer
    this.#writers.push(writer)
    return () => {
      // Others that were started within it end with it.
      const at = this.#writers.indexOf(writer)
      if (at === -1) return ''
      this.#writers.splice(at)
      const text = writer.take()
      if (writer.startsWithSpace) outer.space()
      return text
    }
  }

  #link({ href }: Attributes): (() => void) | undefined {
    const url = this.#isMarked && this.#pre === undefined ? this.#resolve(href) : undefined
    if (!url || /^#|^$/.test(href!.trim())) return undefined
    const end = this.#capture()
    const writer = this.#writer
    return () => {
      const text = end()
      if (text !== '') this.#writer.word(`[${text.replaceAll(/[[\]]/g, String.raw`\$&`)}](${addressOf(url)})`)
      if (writer.endsWithSpace) this.#writer.space()
    }
  }

  #image({ src, alt = '' }: Attributes): void {
    const text = cleanLine(alt, MAX_TITLE_CHARS)
    if (text === '' || this.#pre !== undefined) return
    const url = this.#isMarked ? this.#resolve(src) : undefined
    this.#writer.word(url ? `![${text.replaceAll(/[[\]]/g, '')}](${addressOf(url)})` : text)
  }

  #code(): (() => void) | undefined {
    if (!this.#isMarked || this.#pre !== undefined || this.#isHeading) return undefined
    const end = this.#capture()
    return () => {
      const text = end()
      const ticks = '`'.repeat(longestRun(text) + 1)
      const space = ticks.length > 1 ? ' ' : ''
      if (text !== '') this.#writer.word(`${ticks}${space}${text}${space}${ticks}`)
    }
  }

  #preformatted(): (() => void) | undefined {
    if (this.#pre !== undefined) return undefined
    this.#pre = ''
    return () => {
      const text = this.#pre!.replace(/^\r?\n/, '').trimEnd()
      this.#pre = undefined
      if (text === '') return
      const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
      this.#writer.lines(this.#isMarked ? `${fence}\n${text}\n${fence}` : text)
    }
  }

  #list(name: string, { start }: Attributes): () => void {
    const isInner = this.#lists.length > 0
    const first = Number.parseInt(start ?? '1', 10)
    this.#lists.push({ count: name === 'ol' ? (Number.isFinite(first) ? first : 1) : undefined })
    const end = (): void => (isInner ? this.#writer.line() : this.#block())
    end()
    return () => {
      this.#lists.pop()
      end()
    }
  }

  #item(): () => void {
    const list = this.#lists.at(-1)
    const mark = list?.count === undefined ? '- ' : `${list.count++}. `
    const writer = this.#writer
    writer.line()
    writer.indent(' '.repeat(mark.length), mark)
    return () => {
      writer.outdent()
      writer.line()
    }
  }

  #quote(): () => void {
    const writer = this.#writer
    writer.block()
    if (this.#isMarked) writer.indent('> ')
    return () => {
      if (this.#isMarked) writer.outdent()
      writer.block()
    }
  }

  #table(): () => void {
    this.#block()
    this.#tables.push({ rows: 0, cells: [], isLayout: false })
    return () => {
      this.#tables.pop()
      this.#block()
    }
  }

  #row(): () => void {
    const table = this.#tables.at(-1)
    this.#writer.line()
    return () => {
      if (!table || table.isLayout || table.cells.length === 0) return this.#writer.line()
      const cells = table.cells.splice(0)
      if (cells.every((cell) => cell === '')) return
      this.#writer.line()
      this.#writer.word(this.#isMarked ? `| ${cells.join(' | ')} |` : cells.join('\t'))
      this.#writer.line()
      if (table.rows++ > 0 || !this.#isMarked) return
      this.#writer.word(`|${' --- |'.repeat(cells.length)}`)
      this.#writer.line()
    }
  }

  #cell(): () => void {
    const table = this.#tables.at(-1)
    if (!table || table.isLayout) {
      this.#block()
      return () => this.#block()
    }
    const end = this.#capture()
    return () => {
      if (table.isLayout) return
      const text = end()
      table.cells.push(this.#isMarked ? text.replaceAll('|', String.raw`\|`) : text)
    }
  }

  /** Makes a layout of the tables around: what their cells hold so far is written, and the rest goes below it. */
  #leaveCell(): void {
    for (const table of this.#tables) {
      table.isLayout = true
      this.#writeCells(table.cells.splice(0))
    }
    const [page, ...inner] = this.#writers.splice(0)
    this.#writers.push(page!)
    this.#writeCells(inner.map((writer) => writer.take()))
  }

  #writeCells(cells: readonly string[]): void {
    for (const cell of cells) {
      if (cell === '') continue
      this.#writers[0]!.block()
      this.#writers[0]!.word(cell)
    }
  }

  /** An address that can be fetched or written to; undefined for scripts, data and others. */
  #resolve(href: string | undefined): URL | undefined {
    if (href === undefined || href.length > MAX_URL_CHARS || !URL.canParse(href, this.#base.href))
      return undefined
    const url = new URL(href, this.#base)
    return /^(?:https?|mailto|tel):$/.test(url.protocol) ? url : undefined
  }
}

/** Within the brackets of a link. */
function addressOf({ href }: URL): string {
  return /[()]/.test(href) ? `<${href}>` : href
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
