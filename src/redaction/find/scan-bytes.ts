import { Buffer } from 'node:buffer'
import { LONGEST_PART } from '../cut-text.js'
import { scanKernel } from './scan-kernel.js'
import { endPlaces, startMasks } from './read-known-tokens.js'
import { isWorthReading, runClasses } from './run-filter.js'
import { nameEndings } from './secret-names.js'

/** Scans all bytes of a text once, and records what needs a closer look. */
export interface Scanner {
  /** One byte for each character of the part that is being read. */
  readonly bytes: Uint8Array
  /** Offsets of operators, `=` or `:`, that have a relevant name before them or a slash after them. */
  readonly signs: Int32Array
  /** Starts and ends of runs without spaces, quotes and brackets that are long enough for a token and may hold one. */
  readonly runs: Int32Array
  /** Whether there is anything of what it looks for: 0 where there is nothing. */
  scan(length: number): number
  signCount(): number
  runCount(): number
  /** Offsets of words that name a secret: three of their characters. */
  readonly words: Int32Array
  wordCount(): number
  /** Which of the prefixes the last scan found. */
  anchors(): number
}

/** A few characters that other searches begin with: without them, those searches are skipped. */
export const anchor = {
  dashes: 1,
  user: 2,
  closing: 4,
  bearer: 8,
  pass: 16,
  short: 32,
  by: 64,
  define: 128,
} as const
/** Of two anchors, the third character is looked at as well. */
const PAIRS: Readonly<Record<keyof typeof anchor, string>> = {
  dashes: '--',
  user: '-u',
  closing: '</',
  bearer: 'Be',
  pass: 'PA',
  short: ' -',
  by: 'BY',
  define: 'ne',
}

/**
 * Parts of words that name a secret, or of commands that take one, in any case: the characters at each of three places.
 * Eight is how many the kernel looks for at once, so some kinds are for two words: the reader tells them apart. They are
 * what `halvesOf` tells apart, too.
 */
const WORDS = [
  ['Ss', 'Ss', 'Ww'],
  ['Oo', 'Kk', 'Ee'],
  ['Ee', 'Cc', 'Rr'],
  ['KkNn', 'Ee', 'TtYy'],
  ['Hh', 'Rr', 'Aa'],
  ['Cc', 'Hh', 'Oo'],
  ['-Mm', '-Ss#]}', 'DdEe'],
  ['@`Mm', 'MmTtDd]}', 'UuCcEeSs'],
] as const
const WORD = new RegExp(
  `(?=${WORDS.map((kinds) => kinds.map((kind) => `[${kind.replace(']', '\\]').replace('-', '\\-')}]`).join('')).join('|')})`,
  'g',
)

/**
 * Two tables of sixteen for each place, by the low and by the high half of a character: a bit for each kind that has such a
 * character there.
 */
function halvesOf(kinds: readonly (readonly string[] | string)[], places: number): Uint8Array {
  const tables = new Uint8Array(places * 32)
  kinds.forEach((kind, bit) => {
    for (let place = 0; place < places; place++)
      for (const char of kind[place]!) {
        const code = char.charCodeAt(0)
        tables[place * 32 + (code & 15)]! |= 1 << bit
        tables[place * 32 + 16 + (code >> 4)]! |= 1 << bit
      }
  })
  return tables
}

/** A part is longer only where an exact secret crosses its end. */
const MOST_BYTES = LONGEST_PART * 2
const SHORTEST_RUN = 20
/**
 * Space, line end, quotes, brackets, `*`, `&`, `%`, `$`, `#` and `!` are all below it; letters, digits and `+-./=_~`
 * are not.
 */
const FIRST_OF_RUN = 0x2b

/** Space, quotes and brackets; the stars of `**Name:**`; backslashes before quotes; the `:`, `?`, `+` and `.` of `:=`, `?=`, `+=` and `.=`. */
const between = new Uint8Array(256)
for (const char of ' "\':?+.\\[]*') between[char.charCodeAt(0)] = 1

/** Real texts have no more than that between a name and its operator; hostile ones could keep us busy. */
const MOST_BETWEEN = 24

/** The last character of the name before an operator; less than 2 where a name does not fit. */
export function endOfName(bytes: Uint8Array, sign: number): number {
  const stop = Math.max(1, sign - MOST_BETWEEN - 1)
  let at = sign - 1
  while (at > stop && between[bytes[at]!] === 1) at--
  return at
}

interface Kernel {
  memory: { buffer: ArrayBuffer }
  scan(length: number): number
  signCount(): number
  runCount(): number
  wordCount(): number
  anchors(): number
}

interface WebAssemblyHere {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/** The memory layout of the kernel; its source has the same. */
const PLACES = {
  between: 0x20100,
  endings: 0x20200,
  signs: 0x28200,
  runs: 0xa8300,
  words: 0xc0000,
  tokenStarts: 0x100000,
  tokenEnds: 0x120000,
  classes: 0x128000,
  pairs: 0x129000,
  wordTables: 0x129040,
}

export function createKernelScanner(): Scanner {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyHere }).WebAssembly
  const kernel = new Instance(new Module(Buffer.from(scanKernel, 'base64'))).exports as Kernel
  const { buffer } = kernel.memory
  new Uint8Array(buffer).set(between, PLACES.between)
  new Uint8Array(buffer).set(nameEndings, PLACES.endings)
  new Uint32Array(buffer, PLACES.tokenStarts).set(startMasks)
  new Uint8Array(buffer).set(endPlaces.map(toFlag), PLACES.tokenEnds)
  new Uint8Array(buffer).set(runClasses, PLACES.classes)
  new Uint8Array(buffer).set(halvesOf(Object.values(PAIRS), 2), PLACES.pairs)
  new Uint8Array(buffer).set(halvesOf(WORDS, 3), PLACES.wordTables)
  return {
    bytes: new Uint8Array(buffer, 0, MOST_BYTES),
    signs: new Int32Array(buffer, PLACES.signs, MOST_BYTES),
    runs: new Int32Array(buffer, PLACES.runs, (PLACES.words - PLACES.runs) >> 2),
    words: new Int32Array(buffer, PLACES.words, (PLACES.tokenStarts - PLACES.words) >> 2),
    scan: kernel.scan,
    signCount: kernel.signCount,
    runCount: kernel.runCount,
    wordCount: kernel.wordCount,
    anchors: kernel.anchors,
  }
}

const toFlag = (place: number): number => (place === 0 ? 0 : 1)

/** The same without WebAssembly, which is not available everywhere. */
export function createPlainScanner(): Scanner {
  const bytes = new Uint8Array(MOST_BYTES + 32)
  const signs = new Int32Array(MOST_BYTES)
  const runs = new Int32Array(MOST_BYTES)
  const words = new Int32Array(MOST_BYTES)
  let wordEnd = 0
  let signEnd = 0
  let runEnd = 0
  let met = 0

  function isNamed(sign: number): boolean {
    const at = endOfName(bytes, sign)
    if (at < 2) return false
    const last = bytes[at]!
    if (last < 58) return last >= 48 && bytes[at - 1]! > 64
    return nameEndings[((bytes[at - 2]! & 31) << 10) | ((bytes[at - 1]! & 31) << 5) | (last & 31)] === 1
  }

  return {
    bytes,
    signs,
    runs,
    words,
    scan(length) {
      bytes.fill(0, length, length + 32)
      let start = 0
      signEnd = 0
      runEnd = 0
      met = anchorsIn(bytes, length)
      wordEnd = 0
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1')
      for (const { index } of text.matchAll(WORD)) words[wordEnd++] = index
      for (let at = 0; at <= length; at++) {
        const byte = bytes[at]!
        if (byte < FIRST_OF_RUN) {
          if (at - start >= SHORTEST_RUN && isWorthReading(bytes, start, at)) {
            runs[runEnd++] = start
            runs[runEnd++] = at
          }
          start = at + 1
        } else if ((byte === 61 || byte === 58) && (bytes[at + 1] === 47 || isNamed(at)))
          signs[signEnd++] = at
      }
      return signEnd | runEnd | wordEnd | met
    },
    signCount: () => signEnd,
    runCount: () => runEnd >> 1,
    wordCount: () => wordEnd,
    anchors: () => met,
  }
}

function anchorsIn(bytes: Uint8Array, length: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length)
  let met = 0
  for (const name of Object.keys(PAIRS) as (keyof typeof anchor)[]) {
    const pair = PAIRS[name]
    for (let at = text.indexOf(pair); at !== -1; at = text.indexOf(pair, at + 1)) {
      const third = text[at + 2]!
      if (name === 'short' ? third >= 0x61 : name === 'define' ? third === 0x28 : true) {
        met |= anchor[name]
        break
      }
    }
  }
  return met
}

export function createScanner(): Scanner {
  try {
    return createKernelScanner()
  } catch {
    return createPlainScanner()
  }
}
