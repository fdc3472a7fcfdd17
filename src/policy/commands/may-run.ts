import type { CompiledTool } from '../rules/compile-tool.js'
import type { MeantRule } from './doubt.js'
import { firstSoft } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import { openAccounts } from './may-be-meant.js'
import type { Touched } from './touched.js'

/**
 * A deny or ask about a command that may run although it was not seen to: its words occur in the line, and something in
 * the line may run its arguments, as an unknown wrapper or option does. It counts as an ask. A rule that allows a
 * program by name covers what the program runs.
 */
export function mayRun(tool: CompiledTool, call: JudgedCall): MeantRule | undefined {
  const { tightLeads } = tool.commands
  const touched = call.touched!
  if (tightLeads.length === 0 || touched.command!.is_read_only) return undefined
  const words = wordsIn(touched)
  const hidden = tightLeads.filter(({ lead }) => isHidden(lead, words))
  if (hidden.length === 0) return undefined
  const entry = firstSoft(
    hidden.map((each) => each.entry),
    call,
  )
  if (entry === undefined) return undefined
  const open = openAccounts(tool, touched.accounts ?? [], call)
  const runner = open.find(({ isReadOnly }) => !isReadOnly)
  if (runner === undefined && !touched.command!.hasLooseGap) return undefined
  const { lead } = hidden.find((each) => each.entry.soft === entry)!
  return { entry, doubt: { kind: 'runs', program: runner?.program, lead: lead.trim() } }
}

interface LineWords {
  /** How often each word occurs in the text, independent of quoting. */
  readonly counts: ReadonlyMap<string, number>
  /** How often each word is the program of a command that was seen and judged as such. */
  readonly programs: ReadonlyMap<string, number>
}

function wordsIn({ command, commandText = '' }: Touched): LineWords {
  const programs = command!.commands
    .filter(({ wrappedBy }) => wrappedBy === undefined)
    .map(({ words }) => words[0]?.split('/').at(-1) ?? '')
  // An escaped line end in a quoted text is not part of the word after it.
  const text = commandText.replaceAll(/\\[abefnrtv]/g, ' ')
  return { counts: count(text.match(/[\w.+-]+/g) ?? []), programs: count(programs) }
}

function count(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Whether all words of a rule occur in the line, and its program at a place where no command was seen to begin with it. */
function isHidden(lead: string, { counts, programs }: LineWords): boolean {
  const [program = '', ...rest] = lead.trim().split(/\s+/)
  if (!/^[\w.+-]+$/.test(program)) return false
  const seen = programs.get(program) ?? 0
  return (
    appearances(program, counts) > seen && rest.every((word) => counts.has(word) || !/^[\w.+-]+$/.test(word))
  )
}

/** A program name may follow other characters directly: the letter of an option, a sign of another language. */
function appearances(program: string, counts: ReadonlyMap<string, number>): number {
  let found = 0
  for (const [word, times] of counts) if (word === program || isStuck(word, program)) found += times
  return found
}

function isStuck(word: string, program: string): boolean {
  return word.endsWith(program) && /^-+\w$/.test(word.slice(0, -program.length))
}
