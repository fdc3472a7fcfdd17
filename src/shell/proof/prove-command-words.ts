import { showArgument, type Argument } from '../parse/argument.js'
import type { CompiledSpec } from '../compile-spec.js'
import { programName } from '../parse/program-name.js'
import type { Prover } from './prover.js'
import { findUnknownOption } from './find-unknown-option.js'
import { readOptions } from './read-options.js'
import { safeCommands } from '../safe-commands/safe-commands.js'

/** Proves one command from its words; the first is its name. */
export function provesCommandWords(args: readonly Argument[], prover: Prover): boolean {
  const name = args[0]
  if (typeof name !== 'string') return prover.taint('Which program would run is known only when it runs.')
  const found = safeCommands.get(name) ?? findByPath(name)
  if (found === undefined) return prover.failAt(args, 1, ' is not known to only read.')
  if (args.length === 2 && (args[1] === '--version' || (args[1] === '--help' && !found.opensManual))) {
    if (found.reliesOn !== undefined) prover.relies(found.reliesOn, name, '')
    // Many network clients also look for a newer version of themselves.
    if (found.isOpenWorld) prover.reachesOut()
    return true
  }
  if (found.isFromManual && !areLiteral(args)) return prover.failAt(args, 1, NOT_LITERAL)
  return provesSpec(found, args, prover)
}

const NOT_LITERAL =
  ' is known from its manual alone, so each of its words must be written out, without variables or wildcards.'

function areLiteral(args: readonly Argument[]): boolean {
  for (let at = 1; at < args.length; at++) if (typeof args[at] !== 'string') return false
  return true
}

function findByPath(path: string): CompiledSpec | undefined {
  const name = path.charCodeAt(0) === 47 ? programName(path) : undefined
  return name === undefined ? undefined : safeCommands.get(name)
}

/** Follows the sub-commands, if there are any, and then reads the remaining words with the spec of the last. */
function provesSpec(command: CompiledSpec, args: readonly Argument[], prover: Prover): boolean {
  let own = command
  let outer: CompiledSpec | undefined
  let from = 1
  let folder = ''
  for (;;) {
    if (!allowsWords(own, args, from, prover)) return false
    if (own.reliesOn !== undefined && !own.isGuarded?.(args, from))
      prover.relies(own.reliesOn, args[0] as string, folder)
    if (own.isFree) return true
    if (own.takesUnknown) return provesKnown(own, args, from, prover)
    if (own.judge !== undefined) return own.judge(args, from, prover)
    if (!own.hasVerbs) return provesLast(own, args, from, outer, prover)

    // Some sub-commands look like options: `brew --prefix`. Otherwise options may come first.
    let at = from
    let verb = own.verbs.get(args[at] as string)
    if (verb === undefined) {
      const found = readOptions(args, from, own, outer)
      if (found.problem !== '') return prover.failAt(args, from, `: ${found.problem}.`)
      at = found.verbAt
      if (at === -1)
        return (
          own.isBare ||
          prover.failAt(args, args.length, ' is given no sub-command, so it is not known what it does.')
        )
      verb = own.verbs.get(args[at] as string)
    }
    if (isQuestion(command, verb, args, at)) return true
    if (verb === undefined) return prover.failAt(args, at + 1, ' is not known to only read.')
    if (own.folderOf !== undefined) {
      const goesTo = own.folderOf(args.slice(from, at))
      if (goesTo === undefined) return prover.failAt(args, from, ' goes to a folder that is not known.')
      folder = goesTo
    }
    if (own.isPersistent) outer = own
    own = verb
    from = at + 1
  }
}

/** A command that talks to other hosts may not take unknown words: they could send a secret. */
function allowsWords(own: CompiledSpec, args: readonly Argument[], from: number, prover: Prover): boolean {
  const file = own.readsOptionFiles ? args.find(mayBeOptionFile) : undefined
  if (file !== undefined)
    return prover.failAt(
      args,
      from,
      `: ${showArgument(file)} may name a file from which it takes more options.`,
    )
  if (!own.isOpenWorld) return true
  for (let index = from; index < args.length; index++)
    if (typeof args[index] !== 'string')
      return prover.failAt(
        args,
        from,
        ' talks to another machine, and what it would send is known only when it runs.',
      )
  prover.reachesOut()
  return true
}

function provesKnown(own: CompiledSpec, args: readonly Argument[], from: number, prover: Prover): boolean {
  const unknown = findUnknownOption(args, from, own)
  if (unknown === undefined) return true
  return prover.failAt(args, from, `: with the option ${unknown} it is not known to only read.`)
}

function mayBeOptionFile(arg: Argument): boolean {
  const lead = typeof arg === 'string' ? arg : arg.lead
  return lead.startsWith('@') || (lead === '' && typeof arg !== 'string')
}

function provesLast(
  own: CompiledSpec,
  args: readonly Argument[],
  from: number,
  outer: CompiledSpec | undefined,
  prover: Prover,
): boolean {
  const found = readOptions(args, from, own, outer)
  if (found.problem !== '') return prover.failAt(args, from, `: ${found.problem}.`)
  if (found.options === undefined) return true
  if (own.reachesOut(found.options)) prover.reachesOut()
  if (own.check === undefined || own.check({ options: found.options, operands: found.operands! })) return true
  return prover.failAt(args, from, ' is not known to only read with these arguments.')
}

/** `tool verb --help`, if that prints: some tools open a manual, in a program of the user's choice. */
function isQuestion(
  { helpOf }: CompiledSpec,
  verb: CompiledSpec | undefined,
  args: readonly Argument[],
  at: number,
): boolean {
  if (helpOf === undefined || args.length !== at + 2) return false
  const last = args[at + 1]
  if (last !== '--help' && (last !== '-h' || verb !== undefined)) return false
  return verb !== undefined || helpOf.split(' ').includes(args[at] as string)
}
