import { Buffer } from 'node:buffer'

/** What a value is: the byte before its own. */
const INTEGER = 1
const NUMBER = 2
const TEXT = 3
const JSON_TEXT = 4
const TRUE = 5
const FALSE = 6
const NULL = 7
/** The place of a value beside the bytes, or of a text that is its JSON. */
const BESIDE = 8
const JSON_BESIDE = 9

/** The kind of a text and its length. */
const TEXT_HEAD = 2
/** A longer one is kept as it is: copying it, into memory that is touched for the first time, takes longer than it saves. */
const LONGEST_TEXT = 64
/** How much the room grows when it is full. */
const GROWTH = 4

/**
 * Values one after the other, as bytes: what a log keeps as objects and texts costs the garbage collector more than making
 * them did. Long texts, and what bytes cannot hold, are kept beside them.
 */
export class PackedValues {
  /** How many bytes are filled. */
  end = 0
  private bytes: Buffer
  private view: DataView
  private beside: unknown[] | undefined = undefined
  /** Where the next value is read. */
  private at = 0

  constructor(room: number) {
    this.bytes = Buffer.allocUnsafeSlow(room)
    this.view = viewOf(this.bytes)
  }

  putNumber(value: number): void {
    this.reserve(9)
    const small = value | 0
    if (small === value) {
      this.bytes[this.end] = INTEGER
      this.view.setInt32(this.end + 1, small)
      this.end += 5
    } else {
      this.bytes[this.end] = NUMBER
      this.view.setFloat64(this.end + 1, value)
      this.end += 9
    }
  }

  putText(text: string): void {
    if (!this.putBytes(TEXT, text)) this.putBeside(BESIDE, text)
  }

  /** A value that is made of its JSON when it is read: one text in place of many objects. */
  putJson(text: string): void {
    if (!this.putBytes(JSON_TEXT, text)) this.putBeside(JSON_BESIDE, text)
  }

  put(value: unknown): void {
    if (typeof value === 'number') this.putNumber(value)
    else if (typeof value === 'string') this.putText(value)
    else if (value === true) this.putKind(TRUE)
    else if (value === false) this.putKind(FALSE)
    else if (value === null) this.putKind(NULL)
    else this.putBeside(BESIDE, value)
  }

  /** From here on, values are read. */
  readFrom(start: number): void {
    this.at = start
  }

  take(): unknown {
    const { at } = this
    this.at = at + this.lengthAt(at)
    switch (this.bytes[at]) {
      case INTEGER:
        return this.view.getInt32(at + 1)
      case NUMBER:
        return this.view.getFloat64(at + 1)
      case TEXT:
        return this.textAt(at)
      case JSON_TEXT:
        return JSON.parse(this.textAt(at))
      case TRUE:
        return true
      case FALSE:
        return false
      case BESIDE:
        return this.besideAt(at)
      case JSON_BESIDE:
        return JSON.parse(this.besideAt(at) as string)
      default:
        return null
    }
  }

  /** Overwrites so many values, and drops what is kept of them beside the bytes. */
  drop(start: number, count: number): void {
    let at = start
    for (let left = count; left > 0; left--) {
      if (this.bytes[at]! >= BESIDE) this.beside![this.view.getInt32(at + 1)] = undefined
      at += this.lengthAt(at)
    }
    this.bytes.fill(0, start, at)
  }

  private lengthAt(at: number): number {
    switch (this.bytes[at]) {
      case INTEGER:
      case BESIDE:
      case JSON_BESIDE:
        return 5
      case NUMBER:
        return 9
      case TEXT:
      case JSON_TEXT:
        return TEXT_HEAD + this.bytes[at + 1]!
      default:
        return 1
    }
  }

  private textAt(at: number): string {
    return this.bytes.toString('latin1', at + TEXT_HEAD, at + this.lengthAt(at))
  }

  private besideAt(at: number): unknown {
    return this.beside![this.view.getInt32(at + 1)]
  }

  /** Whether the text is short, and each of its characters a byte. */
  private putBytes(kind: number, text: string): boolean {
    const { length } = text
    if (length > LONGEST_TEXT) return false
    this.reserve(TEXT_HEAD + length)
    const { bytes } = this
    const start = this.end + TEXT_HEAD
    let all = 0
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      bytes[start + index] = code
      all |= code
    }
    if (all > 255) return false
    bytes[this.end] = kind
    bytes[this.end + 1] = length
    this.end = start + length
    return true
  }

  private putKind(kind: number): void {
    this.reserve(1)
    this.bytes[this.end++] = kind
  }

  private putBeside(kind: number, value: unknown): void {
    this.reserve(5)
    const beside = (this.beside ??= [])
    this.bytes[this.end] = kind
    this.view.setInt32(this.end + 1, beside.push(value) - 1)
    this.end += 5
  }

  private reserve(count: number): void {
    const needed = this.end + count
    if (needed > this.bytes.length)
      this.moveTo(Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * GROWTH)))
  }

  private moveTo(bytes: Buffer): void {
    bytes.set(this.bytes.subarray(0, this.end))
    this.bytes = bytes
    this.view = viewOf(bytes)
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}
