import type { SubCommand } from '../shell-reader/shell-reading.js'
import type { CompiledTool } from './compile-tool.js'
import type { EffectRules } from './effect-rules.js'
import type { Entry } from './entry.js'
import type { JudgedCall } from './judged-call.js'
import type { Touched } from './touched.js'

/** A deny or ask that may be meant by a command whose words only the shell knows: it counts as an ask. */
export function cannotTell(tool: CompiledTool, effects: EffectRules, call: JudgedCall): Entry | undefined {
  const { isParsed, isComplete, commands } = call.touched!.command!
  if (!isParsed) return tool.commands.mayMean('', call) ?? mayTouch(tool, effects, call)
  if (runsHiddenCode(call.touched!)) {
    return tool.commands.mayMean('', call) ?? mayTouch(tool, effects, call)
  }
  const open = commands.filter(({ isLiteral }) => !isLiteral)
  for (const command of open) {
    const meant = tool.commands.mayMean(knownStart(command), call)
    if (meant) return meant
  }
  // A program that is not known is allowed or asked about by its name; only words to be expanded hide what they name.
  const isHidden = !isComplete && (open.length > 0 || hidesTarget(call.touched!))
  return isHidden ? mayTouch(tool, effects, call) : undefined
}

const SHELLS = new Set([
  'bash',
  'sh',
  'dash',
  'zsh',
  'ksh',
  'fish',
  'source',
  '.',
  'script',
  'screen',
  'mapfile',
  'readarray',
])

/** A shell that is fed from elsewhere than a file with a name: what it runs is nowhere to be read. */
function isFedShell({ words }: SubCommand): boolean {
  const [program = '', ...operands] = words
  if (!SHELLS.has(program.split('/').at(-1)!)) return false
  const files = operands.filter((each) => !each.startsWith('-'))
  return files.length === 0 || files.some((each) => /^<\(|^\/dev\//.test(each)) || operands.includes('-C')
}

function runsHiddenCode({ command }: Touched): boolean {
  return command!.hidesCode || (!command!.isComplete && command!.commands.some(isFedShell))
}

const UNKNOWN_TARGET = /[<>][<>|&]*[ \t]*[^\s<>|&;]*[$`]/

/** Whether it redirects from or to a file that only the shell can name: no list has that file. */
export function hidesTarget({ command, commandText }: Touched): boolean {
  return command !== undefined && !command.isComplete && UNKNOWN_TARGET.test(commandText ?? '')
}

/** What stands before the first character that the shell may replace. */
function knownStart({ text }: SubCommand): string {
  return /^[^$`*?[{~"'\\]*/.exec(text)![0]
}

function mayTouch(tool: CompiledTool, effects: EffectRules, call: JudgedCall): Entry | undefined {
  return (
    effects.read.mayMean(call) ??
    effects.write.mayMean(call) ??
    effects.hosts.mayMean(call) ??
    tool.paths.mayMean(call) ??
    tool.hosts.mayMean(call)
  )
}
