import { literalArg, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { scanCode } from '../detection/scan-code.js'
import { scanText } from '../detection/scan-text.js'
import type { Trace } from '../detection/trace.js'
import { matchesOf } from '../matches-of.js'
import { applyUsage } from './apply-usage.js'
import { readSed } from './read-sed.js'
import { each, options, type EffectTable, type Usage } from './usage.js'

/** Commands that take a small program of their own language. */
export const textPrograms: EffectTable = {
  ...each('sed gsed ssed', sed),
  ...each('awk gawk mawk nawk goawk', awk),
}

const sedUsage: Usage = {
  first: ['text'],
  rest: 'read',
  takes: { ...options('-e --expression -l --line-length', 'text'), ...options('-f --file', 'script') },
  when: {
    '-e': { first: [] },
    '--expression': { first: [] },
    '-f': { first: [] },
    '--file': { first: [] },
    '-i': { rest: 'edit' },
    '-I': { rest: 'edit' },
    '--in-place': { rest: 'edit' },
  },
}

function sed(call: Call, trace: Trace): void {
  applyUsage(sedUsage, call, trace)
  for (const script of scriptsOf(call, ['-e', '--expression'])) noteSed(script, { call, trace })
}

/** The programs among the words: those behind options, else the first word. */
function scriptsOf({ args, from }: Call, names: readonly string[]): string[] {
  const scripts: string[] = []
  let first: Arg | undefined
  for (let at = from + 1; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (!value.startsWith('-')) {
      first ??= arg
      continue
    }
    if (value === '-l' || value === '--line-length') at++
    const name = names.find((each) => value.startsWith(each))
    if (name === value) scripts.push(valueOf(args[++at] ?? ''))
    else if (name !== undefined) scripts.push(valueOf(tailOf(arg, name.length)).replace(/^=/, ''))
    else if (/^-[a-zA-Z]*e$/.test(value)) scripts.push(valueOf(args[++at] ?? ''))
  }
  return scripts.length > 0 || first === undefined ? scripts : [valueOf(first)]
}

function noteSed(script: string, { call, trace }: { call: Call; trace: Trace }): void {
  const { reads, writes, commands, runsText } = readSed(script)
  for (const file of reads) trace.read(literalArg(file))
  for (const file of writes) trace.replace(literalArg(file))
  for (const command of commands) trace.engine.runText(command, call.index, trace)
  if (!runsText) return
  trace.strict('It runs what it finds in a text.')
  scanText(script, trace)
}

const awkUsage: Usage = {
  first: ['text'],
  rest: 'read',
  takes: {
    ...options('-F -v --field-separator --assign -W --source -e -l --load', 'text'),
    '-f': 'script',
    '--file': 'script',
    '-E': 'script',
    '-i': 'script',
    '--include': 'script',
  },
  when: {
    '-W': { isPartial: true },
    '-f': { first: [] },
    '--file': { first: [] },
    '-E': { first: [] },
    '-e': { first: [] },
    '--source': { first: [] },
  },
}

const editsAll: Usage = { rest: 'edit' }
const AWK_TAKES = new Set(['-F', '-v', '-f', '-i', '-l'])
const AWK_ACTS = /system|getline|[|>@]/

function awk(call: Call, trace: Trace): void {
  applyUsage(awkUsage, call, trace)
  const isInPlace = call.args.some((arg) => valueOf(arg) === 'inplace')
  if (isInPlace) applyUsage(editsAll, call, trace)
  const words = call.args.slice(call.from)
  const args = words.filter((_, at) => at === 0 || !AWK_TAKES.has(valueOf(words[at - 1]!)))
  for (const program of scriptsOf({ ...call, args, from: 0 }, ['--source', '-e'])) {
    if (AWK_ACTS.test(program)) readAwk(program, { call, trace })
  }
}

const AWK_STRING = /"(?:[^"\\]|\\.)*"/g
// The target or source of a string: a file, or a command.
const AWK_FILE = />>?\s*"((?:[^"\\]|\\.)*)"|<\s*"((?:[^"\\]|\\.)*)"/g
const AWK_COMMAND = /(?:system\s*\(|\|&?)\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g

function readAwk(program: string, { call, trace }: { call: Call; trace: Trace }): void {
  for (const [, written, read] of matchesOf(AWK_FILE, program)) {
    if (written !== undefined) trace.replace(literalArg(written))
    else trace.read(literalArg(read!))
  }
  const code = program.replaceAll(AWK_STRING, '""')
  if (/@\s*\w/.test(code)) trace.strict('It runs code that is known only when it runs.')
  if (/print[^;}\n]*>\s*[^"\s=]/.test(code))
    trace.incomplete('It writes files that are known only when it runs.')
  if (!/system\s*\(|\|/.test(code.replaceAll('||', ''))) return
  trace.incomplete('It runs code that is not followed.')
  const commands = matchesOf(AWK_COMMAND, program).map(([, before, after]) => before ?? after ?? '')
  for (const command of commands) trace.engine.runText(command.replaceAll(/\\(.)/g, '$1'), call.index, trace)
  if (commands.length > 0 || !/system\s*\(|\|\s*getline|print[^;}]*\|/.test(code)) return
  trace.strict('It runs commands that are known only when it runs.')
  scanCode(program, { by: call.index, trace })
}
