import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** More than this is kept in a file, and the result has its beginning and its end. */
const HELD_CHARS = 28_000
const HEAD_CHARS = 6_000
const TAIL_CHARS = 6_000

type StreamName = 'stdout' | 'stderr'

export interface CollectedOutput {
  readonly stdout: string
  readonly stderr: string
  /** All of it in the order in which it came, where only parts are in the texts. */
  readonly whole: Readable | undefined
}

/** Collects what a command writes. */
export interface OutputCollector {
  add(name: StreamName, chunk: Buffer): void
  /** Bytes and lines so far. */
  counts(): { stdout_bytes: number; stderr_bytes: number; line_count: number }
  /** The end of what was written to stderr. */
  stderrTail(): string
  /** The last characters of what was written, for a message. */
  tail(chars: number): string
  finish(): CollectedOutput
  /** Removes the file. */
  discard(): void
}

export function collectOutput(): OutputCollector {
  const bytes = { stdout: 0, stderr: 0 }
  const held: { name: StreamName; chunk: Buffer }[] = []
  const parts = { stdout: headAndTail(), stderr: headAndTail() }
  let lines = 0
  let file: number | undefined
  let isOver = false

  function spill(): number {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-output-'))
    const path = join(folder, 'output')
    const opened = openSync(path, 'wx+', 0o600)
    // The open file is all that is needed: nothing is left behind if this process is killed.
    rmSync(folder, { recursive: true, force: true })
    for (const { chunk } of held) writeSync(opened, chunk)
    for (const { name, chunk } of held) parts[name].add(chunk)
    held.length = 0
    return opened
  }

  const textOf = (name: StreamName): string =>
    file === undefined
      ? Buffer.concat(held.filter((each) => each.name === name).map(({ chunk }) => chunk)).toString('utf8')
      : parts[name].text()

  return {
    add(name, chunk) {
      if (isOver) return
      bytes[name] += chunk.length
      for (const byte of chunk) if (byte === 10) lines++
      if (file === undefined && bytes.stdout + bytes.stderr > HELD_CHARS) file = spill()
      if (file === undefined) held.push({ name, chunk })
      else {
        writeSync(file, chunk)
        parts[name].add(chunk)
      }
    },
    counts: () => ({ stdout_bytes: bytes.stdout, stderr_bytes: bytes.stderr, line_count: lines }),
    stderrTail: () => textOf('stderr'),
    tail(chars) {
      const text =
        file === undefined
          ? Buffer.concat(held.map(({ chunk }) => chunk)).toString('utf8')
          : parts.stdout.text() + parts.stderr.text()
      return text.slice(-chars)
    },
    finish() {
      isOver = true
      return {
        stdout: textOf('stdout'),
        stderr: textOf('stderr'),
        whole: file === undefined ? undefined : createReadStream('', { fd: file, start: 0 }),
      }
    },
    discard() {
      isOver = true
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

interface HeadAndTail {
  add(chunk: Buffer): void
  text(): string
}

/** The beginning and the end of a stream, with a note in between. */
function headAndTail(): HeadAndTail {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let total = 0
  return {
    add(chunk) {
      total += chunk.length
      const missing = HEAD_CHARS - head.length
      if (missing > 0) head = Buffer.concat([head, chunk.subarray(0, missing)])
      const rest = missing > 0 ? chunk.subarray(missing) : chunk
      if (rest.length > 0) tail = Buffer.concat([tail, rest]).subarray(-TAIL_CHARS)
    },
    text() {
      const left = total - head.length - tail.length
      if (left <= 0) return Buffer.concat([head, tail]).toString('utf8')
      return `${head.toString('utf8')}\n[… ${left.toLocaleString('en-US')} bytes are left out …]\n${tail.toString('utf8')}`
    },
  }
}
