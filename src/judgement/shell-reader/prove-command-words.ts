import type { Argument } from './argument.js'
import type { CommandSpec } from './command-spec.js'
import type { CompiledSpec } from './compile-spec.js'
import type { Prover } from './prover.js'
import { readOptions } from './read-options.js'
import { safeCommands } from './safe-commands/safe-commands.js'

// Where a system keeps its programs. A path that leads elsewhere may hold anything under any name.
const systemFolders = ['/bin/', '/usr/bin/', '/usr/local/bin/', '/opt/homebrew/bin/', '/sbin/', '/usr/sbin/']

/** Proves one command from its words, the first of which is its name. */
export function provesCommandWords(args: readonly Argument[], prover: Prover): boolean {
  const name = args[0]
  if (typeof name !== 'string') return prover.taint('What would run is not known.')
  const found = safeCommands.get(name) ?? findByPath(name)
  if (found === undefined) return prover.fail(`It is not known what ${name} does.`)
  if (args.length === 2 && (args[1] === '--version' || args[1] === '--help')) {
    if (found.trustsPlace) prover.trustsPlace()
    return true
  }
  return provesSpec(found, args, 1, undefined, prover)
}

function findByPath(name: string): CompiledSpec | undefined {
  if (name.charCodeAt(0) !== 47) return undefined
  const folder = systemFolders.find((start) => name.startsWith(start))
  return folder === undefined ? undefined : safeCommands.get(name.slice(folder.length))
}

function provesSpec(
  own: CompiledSpec,
  args: readonly Argument[],
  from: number,
  outer: CompiledSpec | undefined,
  prover: Prover,
): boolean {
  if (own.isOpenWorld) {
    // What the shell would put in here could be a secret on its way out.
    for (let index = from; index < args.length; index++)
      if (typeof args[index] !== 'string') return prover.fail(`${said(args, from)} sends what is not known.`)
    prover.reachesOut()
  }
  if (own.trustsPlace) prover.trustsPlace()
  if (own.isFree) return true
  if (own.judge !== undefined) return own.judge(args, from, prover)

  // Some sub-commands look like options: `brew --prefix`.
  if (own.hasVerbs && own.verbs.has(args[from] as string)) return provesVerb(own, args, from, outer, prover)
  const found = readOptions(args, from, own, outer)
  if (found.problem !== '') return prover.fail(`${said(args, from)}: ${found.problem}.`)
  if (own.hasVerbs) return provesVerb(own, args, found.verbAt, outer, prover)
  if (own.check === undefined) return true
  if (own.check({ options: found.options!, operands: found.operands! })) return true
  return prover.fail(`${said(args, from)} is not known to only read with these arguments.`)
}

function provesVerb(
  own: CompiledSpec,
  args: readonly Argument[],
  at: number,
  outer: CompiledSpec | undefined,
  prover: Prover,
): boolean {
  if (at === -1)
    return own.spec.isBare === true || prover.fail(`${said(args, args.length)} does not say what to do.`)
  const verb = args[at]!
  const found = typeof verb === 'string' ? own.verbs.get(verb) : undefined
  if (found !== undefined) {
    if (args.length === at + 2 && args[at + 1] === '--help') return true
    return provesSpec(found, args, at + 1, own.spec.isPersistent ? own : outer, prover)
  }
  if (isQuestion(own.spec, args, at)) return true
  return prover.fail(`${said(args, at + 1)} is not known to only read.`)
}

/** `tool verb --help` */
function isQuestion(spec: CommandSpec, args: readonly Argument[], at: number): boolean {
  if (spec.helpOf === undefined || args.length !== at + 2) return false
  const last = args[at + 1]
  return (last === '--help' || last === '-h') && spec.helpOf.split(' ').includes(args[at] as string)
}

function said(args: readonly Argument[], end: number): string {
  let text = args[0] as string
  for (let index = 1; index < end; index++) {
    const arg = args[index]!
    text += typeof arg === 'string' ? ` ${arg}` : ' …'
  }
  return text
}
