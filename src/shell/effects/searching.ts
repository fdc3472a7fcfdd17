import { UNKNOWN, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import type { Trace } from '../detection/trace.js'
import { applyUsage } from './apply-usage.js'
import { each, options, type EffectTable, type Usage } from './usage.js'

const HERE = '.'

/** Commands that find files and may pass them to other commands. */
export const searching: EffectTable = {
  ...each('find gfind', find),
  ...each('fd fdfind', fd),
  xargs,
  ...each('parallel rust-parallel', parallel),
}

function find({ args, from, index }: Call, trace: Trace): void {
  const roots: Arg[] = []
  let at = from + 1
  for (; at < args.length; at++) {
    const value = valueOf(args[at]!)
    const first = value.charCodeAt(0)
    if (first !== DASH && first !== OPEN && first !== NOT) roots.push(args[at]!)
    else if (value === '-D' || value === '-f') at++
    else if (first !== DASH || !FIND_OPTION.test(value)) break
  }
  if (roots.length === 0) roots.push(HERE)
  for (const root of roots) trace.read(root)
  for (; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    const act = value.charCodeAt(0) === DASH ? FIND_ACTS.get(value) : undefined
    if (act !== undefined) at = actOnFound(act, { args, at, roots, index, trace })
    else if (value.startsWith('-newer')) at = actOnFound('read', { args, at, roots, index, trace })
    else noteUnknown(arg, trace)
  }
}

const DASH = 45
const OPEN = 40
const NOT = 33
// They come before the folders.
const FIND_OPTION = /^-(?:[HLPExXds]+|O\d?)$/

type FindAct = 'delete' | 'read' | 'write' | 'run'

const FIND_ACTS = new Map<string, FindAct>([
  ['-delete', 'delete'],
  ...['-exec', '-execdir', '-ok', '-okdir'].map((option): [string, FindAct] => [option, 'run']),
  ...['-fprint', '-fprint0', '-fls', '-fprintf'].map((option): [string, FindAct] => [option, 'write']),
  ...['-anewer', '-cnewer', '-samefile', '-files0-from'].map((option): [string, FindAct] => [option, 'read']),
])

interface Found {
  readonly args: readonly Arg[]
  readonly at: number
  readonly roots: readonly Arg[]
  readonly index: number
  readonly trace: Trace
}

/** The index of the last word that belongs to it. */
function actOnFound(act: FindAct, found: Found): number {
  const { args, at, roots, trace } = found
  const next = args[at + 1]
  if (act === 'run') return runFound(found)
  if (act === 'delete') for (const root of roots) trace.remove(root)
  if (act === 'delete' || next === undefined) return at
  if (act === 'read') trace.read(next)
  else trace.replace(next)
  // The next word is read again: not every find takes a value there.
  return at
}

/** The command up to `;` or `+`, with the found files in place of `{}`. */
function runFound({ args, at, roots, index, trace }: Found): number {
  let end = at + 1
  while (end < args.length && valueOf(args[end]!) !== ';' && !isPlus(args, end)) end++
  const inner = args.slice(at + 1, end).map((arg) => withFound(arg, '{}', roots))
  trace.engine.run(inner, { from: 0, by: index }, trace)
  return end
}

function isPlus(args: readonly Arg[], at: number): boolean {
  return valueOf(args[at]!) === '+' && valueOf(args[at - 1]!) === '{}'
}

/** A word with a placeholder: its value lies at or below one of the roots. */
function withFound(arg: Arg, hole: string, roots: readonly Arg[]): Arg {
  const value = valueOf(arg)
  if (!value.includes(hole)) return arg
  const [first, ...others] = roots.map((root) => placed(arg, value === hole ? root : UNKNOWN))
  return { ...first!, also: others }
}

function placed(
  arg: Arg,
  root: Arg,
): { written: string; value: string; path: string; isKnown: boolean; isLiteral: boolean } {
  const written = typeof arg === 'string' ? arg : arg.written
  const path = typeof root === 'string' ? root : root.path
  return {
    written,
    value: written,
    path,
    isKnown: typeof root === 'string' || root.isKnown,
    isLiteral: false,
  }
}

function noteUnknown(arg: Arg, trace: Trace): void {
  if (typeof arg !== 'string' && !arg.isKnown)
    trace.incomplete('Some of its words are known only when it runs.')
}

const fdUsage: Usage = {
  first: ['text'],
  rest: 'read',
  here: 'read',
  takes: {
    ...options(
      '-e -t -d -E -S -j -c --extension --type --max-depth --min-depth --exclude --size --threads',
      'text',
    ),
    ...options(
      '--changed-within --changed-before --owner --format --color --max-results --exact-depth',
      'text',
    ),
    '--base-directory': 'read',
    '--search-path': 'read',
    '--ignore-file': 'read',
  },
}

function fd(call: Call, trace: Trace): void {
  const { args, from, index } = call
  const start = args.findIndex((arg, at) => at > from && /^(?:-[xX]|--exec(?:-batch)?)$/.test(valueOf(arg)))
  const own = start === -1 ? call : { ...call, args: args.slice(0, start) }
  applyUsage(fdUsage, own, trace)
  if (start === -1) return
  const inner = args.slice(start + 1)
  const hasHole = inner.some((arg) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(valueOf(arg)))
  const words = inner.map((arg) => withFound(arg, '{}', [HERE]))
  trace.engine.run(hasHole ? words : [...words, silent(HERE)], { from: 0, by: index }, trace)
}

/** A word that the command gets but that is not written in the line. */
function silent(path: string): Arg {
  return { written: '', value: path, path, isKnown: true, isLiteral: false }
}

const XARGS_TAKES = new Set(
  (
    '-d -E -I -i -L -l -n -P -s -a -J -R -S --delimiter --eof --replace --max-lines --max-args --max-procs ' +
    '--max-chars --arg-file --process-slot-var'
  ).split(' '),
)
// Their value may only follow without a space.
const XARGS_ATTACHED = new Set(['-i', '-l', '-e', '--replace', '--eof', '--max-lines'])

function xargs({ args, from, index }: Call, trace: Trace): void {
  let hole: string | undefined
  let at = from + 1
  for (; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value === '--') {
      at++
      break
    }
    if (!value.startsWith('-') || value === '-') break
    const name = value.startsWith('--') ? value.split('=')[0]! : value.slice(0, 2)
    const isAlone = value === name
    if (name === '-I' || name === '-J') hole = isAlone ? valueOf(args[at + 1] ?? '{}') : value.slice(2)
    if (name === '-i' || name === '--replace')
      hole = isAlone ? '{}' : value.slice(name.length).replace(/^=/, '')
    if ((name === '-a' || name === '--arg-file') && args[at + 1] !== undefined) trace.read(args[at + 1]!)
    if (isAlone && XARGS_TAKES.has(name) && !XARGS_ATTACHED.has(name)) at++
  }
  const given = inputWords(trace)
  const inner = args.slice(at)
  if (inner.length === 0) return
  const words = hole === undefined ? [...inner, ...given] : inner.map((arg) => withFound(arg, hole, given))
  trace.engine.run(words, { from: 0, by: index }, trace)
}

/** The words from the standard input: known from an `echo`, below the folders of a `find`, or unknown. */
function inputWords({ input }: Trace): readonly Arg[] {
  const text = literalInput(input)
  if (text !== undefined) return text.split(/\s+/).filter(Boolean).map(silent)
  if (input?.type === 'Command' && input.name?.text === 'find') {
    const words = input.suffix.map((each) => (each.type === 'Word' ? each.text : '-'))
    const end = words.findIndex((word) => /^[-(!\\]/.test(word))
    const roots = (end === -1 ? words : words.slice(0, end)).filter((word) => /^[\w./-]+$/.test(word))
    return [...(roots.length > 0 ? roots : [HERE]).map(silent), UNKNOWN]
  }
  return [UNKNOWN]
}

const PARALLEL_TAKES =
  /^(?:-[jnNPSaI]|--(?:jobs|colsep|joblog|results|delay|timeout|max-args|arg-file|tmpdir|sshlogin))$/

function parallel({ args, from, index }: Call, trace: Trace): void {
  let start = from + 1
  while (start < args.length && valueOf(args[start]!).startsWith('-'))
    start += PARALLEL_TAKES.test(valueOf(args[start]!)) ? 2 : 1
  const marks = args.findIndex((arg, at) => at >= start && valueOf(arg).startsWith(':::'))
  const inner = args.slice(start, marks === -1 ? args.length : marks)
  const given =
    marks === -1 ? [UNKNOWN] : args.slice(marks + 1).filter((arg) => !valueOf(arg).startsWith(':::'))
  if (inner.length === 0) {
    if (marks === -1) trace.strict('It runs commands that are known only when it runs.')
    for (const arg of given) trace.engine.runText(valueOf(arg), index, trace)
    return
  }
  const hasHole = inner.some((arg) => valueOf(arg).includes('{'))
  const words = hasHole ? inner.map((arg) => withFound(arg, '{}', given)) : [...inner, ...given]
  // One quoted word is a script.
  const [only] = inner
  if (inner.length === 1 && only !== undefined && /\s/.test(valueOf(only))) {
    trace.incomplete('Some of its words are known only when it runs.')
    return trace.engine.runText(valueOf(only), index, trace)
  }
  trace.engine.run(words, { from: 0, by: index }, trace)
}
