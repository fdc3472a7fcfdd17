import { allowAbove, isExactRule, isSpecific } from './cover-command.js'
import type { CompiledTool } from '../rules/compile-tool.js'
import type { Doubt, MeantRule } from './doubt.js'
import type { EffectRules } from '../rules/effect-rules.js'
import { ALLOW, type Entry } from '../rules/entry.js'
import type { PathIndex } from '../indexes/path-index.js'
import type { JudgedCall } from '../judged-call.js'
import { squeeze } from '../patterns/command-pattern.js'
import type { CommandNames, NamedPath } from './touched.js'

/**
 * A deny or ask about a path that a command may touch although it was not seen to: one of its words could name the
 * path, or not everything that it touches is known. It counts as an ask. A rule that allows a program by name covers
 * what the program does by itself, but not the names that it gets.
 */
export function mayBeMeant(
  tool: CompiledTool,
  effects: EffectRules,
  call: JudgedCall,
): MeantRule | undefined {
  const { read, write } = effects
  const { paths } = tool
  if (!read.isTight && !write.isTight && !paths.isTight) return undefined
  const { accounts = [] } = call.touched!
  const { hasLooseGap, changesMeaning, commands } = call.touched!.command!
  let ofWrapper: MeantRule | undefined
  for (const account of accounts) {
    const found = findNamed({ read, write, paths }, account, call)
    // The words of `nice` are also those of the command that it runs, which is reported instead.
    if (found && !commands[account.index ?? -1]?.isTransparent) return found
    ofWrapper ??= found
  }
  if (ofWrapper) return ofWrapper
  const open = openAccounts(tool, accounts, call)
  if ((open.length === 0 && !hasLooseGap) || isAllowedWholly(tool, call)) return undefined
  const mayWrite = hasLooseGap || open.some(({ isReadOnly }) => !isReadOnly)
  const entry = read.mayMean(call) ?? (mayWrite ? write.mayMean(call) : undefined) ?? paths.mayMean(call)
  return entry && { entry, doubt: doubtOf(open, changesMeaning) }
}

function doubtOf(open: readonly CommandNames[], changesMeaning: boolean): Doubt {
  const program = open.find((account) => account.program !== undefined)?.program
  return program === undefined ? { kind: 'shell' } : { kind: 'program', program, changesMeaning }
}

interface PathRules {
  readonly read: PathIndex
  readonly write: PathIndex
  readonly paths: PathIndex
}

function findNamed(
  { read, write, paths }: PathRules,
  { names, isReadOnly, program }: CommandNames,
  call: JudgedCall,
): MeantRule | undefined {
  for (const name of names) {
    const { access } = name
    const entry =
      (access === 'write' ? undefined : tightIn(read, name, call)) ??
      (access === 'read' || isReadOnly ? undefined : tightIn(write, name, call)) ??
      tightIn(paths, name, call)
    if (entry) return { entry, doubt: namedDoubt(name, program) }
  }
  return undefined
}

function namedDoubt({ word, name = '', path }: NamedPath, program: string | undefined): Doubt {
  if (program === undefined) return { kind: 'link', path }
  return word === undefined ? { kind: 'file', program, path } : { kind: 'word', program, word, name }
}

function tightIn(index: PathIndex, name: NamedPath, call: JudgedCall): Entry | undefined {
  const found = index.isTight ? index.find(name, call) : undefined
  return found !== undefined && found.rank > ALLOW ? (found.soft ?? found) : undefined
}

/** The commands that may touch more than is known and that no rule allows by name. */
export function openAccounts(
  tool: CompiledTool,
  accounts: readonly CommandNames[],
  call: JudgedCall,
): readonly CommandNames[] {
  const { command } = call.touched!
  const open = accounts.filter(({ isAccounted }) => !isAccounted)
  if (open.length === 0 || tool.commands.size === 0 || command!.changesMeaning) return open
  const { commands } = command!
  const allows = commands.map(({ text }) => {
    const entry = tool.commands.find(text, call)
    return isAllowed(entry) ? entry : undefined
  })
  return open.filter(
    ({ index }) =>
      index === undefined || (allows[index] === undefined && !allowAbove(commands[index]!, commands, allows)),
  )
}

/** A rule that gives the whole line word for word. */
function isAllowedWholly({ commands }: CompiledTool, call: JudgedCall): boolean {
  const entry =
    commands.size === 0 ? undefined : commands.find(squeeze(call.touched!.commandText ?? ''), call)
  return entry?.rank === ALLOW && isExactRule(entry)
}

function isAllowed(entry: Entry | undefined): boolean {
  return entry?.rank === ALLOW && isSpecific(entry)
}
