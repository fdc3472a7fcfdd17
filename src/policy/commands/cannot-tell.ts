import type { SubCommand } from '../../shell/shell-reading.js'
import type { CompiledTool } from '../rules/compile-tool.js'
import type { EffectRules } from '../rules/effect-rules.js'
import type { MeantRule } from './doubt.js'
import type { Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'

/** A deny or ask that may match words which only the shell can expand. It counts as an ask. */
export function cannotTell(
  tool: CompiledTool,
  effects: EffectRules,
  call: JudgedCall,
): MeantRule | undefined {
  const { isParsed, isBlind, hidesCode, isComplete, commands, hidesTarget } = call.touched!.command!
  if (!isParsed || isBlind || hidesCode) {
    const entry = tool.commands.mayMean('', call) ?? mayTouch(tool, effects, call)
    return entry && { entry, doubt: { kind: 'code' } }
  }
  const open = commands.filter(({ isLiteral }) => !isLiteral)
  for (const each of open) {
    const entry = tool.commands.mayMean(knownStart(each), call)
    if (entry) return { entry, doubt: { kind: 'expansion', text: each.text } }
  }
  // Rules decide about an unknown program by its name; only words that the shell expands hide what they name.
  const isHidden = !isComplete && (open.length > 0 || hidesTarget)
  const entry = isHidden ? mayTouch(tool, effects, call) : undefined
  const [first] = open
  return entry && { entry, doubt: first ? { kind: 'expansion', text: first.text } : { kind: 'shell' } }
}

/** The text before the first character that the shell may replace. */
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
