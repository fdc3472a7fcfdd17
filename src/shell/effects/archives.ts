import { pathOf, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { applyUsage } from './apply-usage.js'
import { each, options, type EffectTable, type Role, type Usage } from './usage.js'

const HERE = '.'

const unpacks: Usage = {
  first: ['read'],
  rest: 'text',
  takes: { '-d': 'replace', '-x': 'text', '-P': 'text' },
}
const listsOnly: Usage = { first: ['read'], rest: 'text' }

/** Packing and unpacking. */
export const archives: EffectTable = {
  ...each('tar bsdtar gtar', tar),
  unzip: unzip,
  zipinfo: listsOnly,
  zip: {
    first: ['edit'],
    rest: 'read',
    takes: { '-x': 'text', '-i': 'text', '-P': 'text', '-b': 'write', '-t': 'text', '-O': 'replace' },
    when: { '-m': { rest: 'move' }, '-d': { rest: 'text' }, '-sf': { first: ['read'] } },
  },
  ...each(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress brotli pigz',
    packInPlace,
  ),
  ...each('7z 7za 7zz 7zr rar unrar', sevenZip),
  cpio: {
    rest: 'maybe',
    isPartial: true,
    takes: { '-F': 'edit', '-O': 'replace', '-I': 'read', '-D': 'write' },
  },
  ar: { first: ['text', 'edit'], rest: 'read' },
  jar: { rest: 'maybe', isPartial: true },
}

function unzip(call: Call, trace: Trace): void {
  const onlyLooks = call.args.some((arg) => /^-[a-z]*[ltvzpcZ]/.test(valueOf(arg)))
  if (onlyLooks) return applyUsage(listsOnly, call, trace)
  applyUsage(unpacks, call, trace)
  const hasFolder = call.args.some((arg) => valueOf(arg).startsWith('-d'))
  if (!hasFolder) trace.replace(HERE)
}

/** `tar xzf a.tgz -C dir`, `tar -czf a.tgz src`, with or without the dash. */
function tar(call: Call, trace: Trace): void {
  const { args, from } = call
  const first = args[from + 1]
  if (first === undefined) return
  const isBundled = typeof first === 'string' && /^[a-zA-Z]+$/.test(first)
  const words = isBundled ? [args[from]!, ...unbundled(first, args.slice(from + 2))] : args.slice(from)
  const values = words.map(valueOf)
  const mode = modeOf(values)
  applyUsage(TAR_USAGE[mode], { args: words, from: 0, index: call.index }, trace)
  noteTarExtras(values, mode, { call, trace })
}

type TarMode = 'make' | 'unpack' | 'look' | 'change'

const TAR_USAGE: Readonly<Record<TarMode, Usage>> = {
  make: tarUsage('replace', 'read'),
  unpack: tarUsage('read', 'replace'),
  look: tarUsage('read', 'read'),
  change: tarUsage('edit', 'read'),
}

function tarUsage(archive: Role, folder: Role): Usage {
  return {
    rest: archive === 'read' ? 'text' : 'read',
    takes: {
      ...options('-f --file', archive),
      ...options('-C --directory', folder),
      ...options('-T -X --files-from --exclude-from', 'read'),
      ...options(
        '-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command',
        'command',
      ),
      ...options('--checkpoint-action --exclude --transform --strip-components -b -H', 'text'),
      '-g': 'edit',
    },
    when: { '--remove-files': { rest: 'move' } },
  }
}

function noteTarExtras(
  values: readonly string[],
  mode: TarMode,
  { call, trace }: { call: Call; trace: Trace },
): void {
  const hasFolder = values.some((value) => /^-[a-zA-Z]*C$|^-C|^--directory/.test(value))
  const isPrinting = values.some((value) => /^-[a-zA-Z]*O/.test(value) || value === '--to-stdout')
  if (mode === 'unpack' && !hasFolder && !isPrinting) trace.replace(HERE)
  for (const [at, value] of values.entries()) {
    const action = /^--checkpoint-action=?(?:exec=)?(.*)$/.exec(value)
    if (action)
      trace.engine.runText(action[1] || (values[at + 1] ?? '').replace(/^exec=/, ''), call.index, trace)
  }
}

/** The letters of `xzf` as options, each with the word that it takes. */
function unbundled(letters: string, words: readonly Arg[]): Arg[] {
  const rest = [...words]
  const out: Arg[] = []
  for (const letter of letters) {
    out.push(`-${letter}`)
    const value = 'fCTXbHgIF'.includes(letter) ? rest.shift() : undefined
    if (value !== undefined) out.push(value)
  }
  return [...out, ...rest]
}

const TAR_LETTERS: Readonly<Record<string, TarMode>> = { c: 'make', x: 'unpack', t: 'look', d: 'look' }
const TAR_WORDS: Readonly<Record<string, TarMode>> = {
  create: 'make',
  extract: 'unpack',
  get: 'unpack',
  list: 'look',
  diff: 'look',
  compare: 'look',
}

/** Without a known mode: the one with the most effects. */
function modeOf(values: readonly string[]): TarMode {
  for (const value of values) {
    if (!value.startsWith('-')) continue
    const long = /^--(create|extract|get|list|append|update|delete|concatenate|catenate|diff|compare)/.exec(
      value,
    )
    if (long) return TAR_WORDS[long[1]!] ?? 'change'
    const short = /^-[a-zA-Z]*?([cxtruAd])/.exec(value)
    if (short) return TAR_LETTERS[short[1]!] ?? 'change'
  }
  return 'unpack'
}

const packs: Usage = { rest: 'move', takes: { '-o': 'replace', '-S': 'text' } }
const packsCopy: Usage = { ...packs, rest: 'read' }

/** `gzip a` leaves `a.gz` in place of `a`. */
function packInPlace(call: Call, trace: Trace): void {
  const values = call.args.slice(call.from + 1).map(valueOf)
  const isLooking = values.some((value) => /^-[a-z]*[clt]|^--(?:stdout|to-stdout|list|test)/.test(value))
  const keeps = values.some((value) => /^-[a-z]*k|^--keep/.test(value))
  applyUsage(isLooking || keeps ? packsCopy : packs, call, trace)
  if (isLooking) return
  for (const arg of call.args.slice(call.from + 1)) {
    if (valueOf(arg).startsWith('-')) continue
    const path = pathOf(arg)
    const packed = /\.(?:gz|bz2|xz|lzma|zst|lz4|Z|br)$/.exec(path)
    trace.replace(packed ? path.slice(0, -packed[0].length) : `${path}.*`)
  }
}

const SEVEN_ZIP_LOOKS = /^(?:l|t|h|b|i|lb|lt|v|vb|vt)$/

const unpacksSome: Usage = { first: ['text', 'read'], rest: 'text' }
const looksInto: Usage = { first: ['text', 'read'], rest: 'read' }
const changesArchive: Usage = { first: ['text', 'edit'], rest: 'read' }

function sevenZip(call: Call, trace: Trace): void {
  const verb = valueOf(call.args[call.from + 1] ?? '')
  const isUnpacking = /^(?:x|e)$/.test(verb)
  const isLooking = SEVEN_ZIP_LOOKS.test(verb) || verb === '' || verb.startsWith('-')
  if (verb === 'd') trace.destructive('It deletes from an archive.')
  applyUsage(isUnpacking ? unpacksSome : isLooking ? looksInto : changesArchive, call, trace)
  if (!isUnpacking) return
  const folder = call.args.find((arg) => valueOf(arg).startsWith('-o'))
  trace.replace(folder ? tailOf(folder, 2) : HERE)
}
