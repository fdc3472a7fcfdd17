import { UNKNOWN, isKnown, tailOf, valueOf, type Arg } from '../detection/arg.js'
import { assignFrom } from '../detection/assign-from.js'
import type { Call } from '../detection/call.js'
import { ANYWHERE, resolvePath } from '../detection/resolve-path.js'
import type { Trace } from '../detection/trace.js'
import { noteCalculation, noteNames } from '../detection/note-evaluation.js'
import { changesPrograms, isCommandVariable, noteVariable } from '../detection/variable-effects.js'
import { each, type EffectTable } from './usage.js'

/** Shell builtins: they change the shell that runs the following commands. */
export const builtins: EffectTable = {
  ...each('cd pushd chdir', cd),
  popd: (_, trace) => trace.moveTo([{ cwd: ANYWHERE, home: trace.home }]),
  ...each('export declare typeset local readonly', declare),
  let: (_, trace) => noteCalculation(trace),
  wait: ({ args, from }, trace) => {
    const at = args.findIndex((arg, place) => place > from && /^-[a-z]*p/.test(valueOf(arg)))
    if (at !== -1) noteNames(args.slice(at), trace)
  },
  unset: ({ args, from }, trace) => {
    noteNames(args.slice(from + 1), trace)
    for (const arg of args.slice(from + 1)) trace.set(valueOf(arg), [''])
  },
  set: ({ args, from }, trace) => {
    const dashes = args.findIndex((arg, at) => at > from && valueOf(arg) === '--')
    const first = valueOf(args[from + 1] ?? '-')
    // Each line is shown behind a prompt, and the value of a prompt is evaluated.
    if (args.slice(from + 1).some((arg) => /^-[a-zA-Z]*x|^xtrace$/.test(valueOf(arg)) || !isKnown(arg)))
      noteCalculation(trace)
    if (dashes !== -1) trace.positionals = args.slice(dashes + 1)
    else if (!/^[-+]/.test(first)) trace.positionals = args.slice(from + 1)
  },
  shift: (_, trace) => {
    trace.positionals = trace.positionals?.slice(1)
  },
  ...each('read mapfile readarray getopts', ({ args, from }, trace) => {
    noteNames(args.slice(from + 1), trace)
    for (const arg of args.slice(from + 1)) {
      const value = valueOf(arg)
      // `mapfile -C code` runs it for every few lines.
      if (/^-\w*C/.test(value)) trace.strict('It runs code that is known only when it runs.')
      if (/^[A-Za-z_]\w*$/.test(value)) trace.set(value, [UNKNOWN])
    }
    trace.set('REPLY', [UNKNOWN])
    trace.set('MAPFILE', [UNKNOWN])
  }),
  echo: () => {},
  printf: ({ args, from }, trace) => {
    if (!valueOf(args[from + 1] ?? '').startsWith('-v')) return
    const name = valueOf(args[from + 1]!).slice(2) || valueOf(args[from + 2] ?? '')
    noteNames(args.slice(from + 1, from + 3), trace)
    trace.set(name, [UNKNOWN])
    trace.changesMeaning = true
  },
  ...each('test [', test),
  ...each('shopt setopt unsetopt compopt', (_, trace) => {
    trace.changesMeaning = true
  }),
  // They load code, run their arguments, or give a name to another program.
  ...each('hash enable bind complete compgen', ({ args, from }, trace) => {
    trace.changesMeaning = true
    if (args.length > from + 2) noteCalculation(trace)
  }),
  unalias: {},
  history: ({ args, from }, trace) => {
    const options = args.slice(from + 1).map(valueOf)
    if (options.some((option) => /^-[a-z]*[cdw]/.test(option)))
      trace.destructive('It deletes from the history.')
  },
  disown: {},
  caller: {},
}

function cd({ args, from }: Call, trace: Trace): void {
  const words = args.slice(from + 1).filter((arg) => !/^(?:-[LPe@n]+|--)$/.test(valueOf(arg)))
  const [target] = words
  const before = trace.folders
  if (target === undefined) trace.moveTo([{ cwd: trace.home, home: trace.home }])
  else if (valueOf(target) === '-') goBack(trace)
  else if (!isKnown(target) || isSearched(target, trace)) {
    trace.incomplete('It is not known in which folder it runs.')
    trace.moveTo([{ cwd: ANYWHERE, home: trace.home }])
  } else {
    const paths =
      typeof target === 'string' ? [target] : [target.path, ...(target.also ?? []).map(({ path }) => path)]
    trace.moveTo(
      before.flatMap((folder) => paths.map((path) => ({ cwd: resolvePath(path, folder), home: trace.home }))),
    )
  }
  trace.set('OLDPWD', before.length === 1 ? [before[0]!.cwd] : [UNKNOWN])
}

/** With CDPATH a relative folder may be found elsewhere. */
function isSearched(target: Arg, trace: Trace): boolean {
  return trace.variables.has('CDPATH') && !/^[./~]/.test(valueOf(target))
}

function goBack(trace: Trace): void {
  const [old] = trace.variables.get('OLDPWD') ?? []
  const cwd = typeof old === 'string' ? old : ANYWHERE
  trace.moveTo([{ cwd, home: trace.home }])
}

function declare({ args, from, index }: Call, trace: Trace): void {
  for (const arg of args.slice(from + 1)) {
    const value = valueOf(arg)
    // A number variable evaluates what is assigned to it, and a name reference means that name with its subscript.
    if (/^[-+][a-zA-Z]*[in]/.test(value)) noteCalculation(trace)
    if (!isKnown(arg) || /^[^=]*\[/.test(value)) noteNames([arg], trace)
    const name = value.slice(0, value.indexOf('='))
    if (name === '' || !value.includes('=')) continue
    assignFrom(arg, trace)
    if (changesPrograms(name)) trace.changesMeaning = true
    if (!isCommandVariable(name)) continue
    trace.changesMeaning = true
    noteVariable(name, tailOf(arg, name.length + 1), { trace, by: index })
  }
}

const FILE_TEST = /^-[abcdefghkprstuwxGLNOS]$/
const FILE_COMPARISON = /^-(?:nt|ot|ef)$/

function test({ args, from }: Call, trace: Trace): void {
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    const next = args[at + 1]
    if ((value === '-v' || value === '-R') && next !== undefined) noteNames([next], trace)
    if (FILE_TEST.test(value) && next !== undefined) trace.read(next)
    if (FILE_COMPARISON.test(value) && next !== undefined) {
      trace.read(args[at - 1]!)
      trace.read(next)
    }
  }
}
