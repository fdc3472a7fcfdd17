import type { SubCommand } from '../shell-reader/shell-reading.js'
import type { CompiledTool } from './compile-tool.js'
import type { EffectRules } from './effect-rules.js'
import { ALLOW, stricterOf, type Entry } from './entry.js'
import type { JudgedCall } from './judged-call.js'
import { squeeze } from './patterns/command-pattern.js'

export interface CommandCover {
  tight: Entry | undefined
  allow: Entry | undefined
  parts: number
}

/** Devices that a redirect may always write to. */
const HARMLESS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty'])

/**
 * What the command rules say of a whole command line. A deny or ask needs one part of it, also inside wrappers and
 * substitutions; an allow needs every part to be allowed or proven to only read, and every redirect to be allowed.
 */
export function coverCommand(tool: CompiledTool, effects: EffectRules, call: JudgedCall): CommandCover {
  const { command, commandText } = call.touched!
  const none: CommandCover = { tight: undefined, allow: undefined, parts: 0 }
  if (tool.commands.size === 0) return none
  const whole = tool.commands.find(squeeze(commandText ?? ''), call)
  const found = command!.commands.map(({ text }) => tool.commands.find(text, call))
  const tight = [whole, ...found].reduce<Entry | undefined>(
    (best, entry) => (entry && entry.rank > ALLOW ? stricterOf(best, entry) : best),
    undefined,
  )
  if (whole?.rank === ALLOW && isExactRule(whole)) return { tight, allow: whole, parts: 1 }
  if (!command!.isParsed || command!.commands.length === 0) return { ...none, tight }
  const isCovered = command!.commands.every((each, index) => covers(each, index, command!.commands, found))
  const allow = isCovered ? found.find((entry) => entry?.rank === ALLOW) : undefined
  if (!allow || !areRedirectsAllowed(effects, call)) return { ...none, tight }
  return { tight, allow, parts: command!.commands.length }
}

/** A rule that names the whole line word for word means its redirects too. */
function isExactRule({ rule }: Entry): boolean {
  return rule.specifier !== undefined && !rule.specifier.includes('*')
}

function covers(
  command: SubCommand,
  index: number,
  all: readonly SubCommand[],
  found: readonly (Entry | undefined)[],
): boolean {
  if (found[index]?.rank === ALLOW || command.isReadOnly) return true
  // Whoever allows `sudo systemctl` allows what it runs; a wrapper that adds nothing is allowed by what it runs.
  if (command.wrappedBy !== undefined && isAllowedAbove(command.wrappedBy, all, found)) return true
  if (!command.isTransparent) return false
  const inner = all.flatMap((each, at) => (each.wrappedBy === index ? [at] : []))
  return inner.length > 0 && inner.every((at) => covers(all[at]!, at, all, found))
}

function isAllowedAbove(
  index: number,
  all: readonly SubCommand[],
  found: readonly (Entry | undefined)[],
): boolean {
  for (let at: number | undefined = index; at !== undefined; at = all[at]!.wrappedBy) {
    if (found[at]?.rank === ALLOW) return true
  }
  return false
}

function areRedirectsAllowed(effects: EffectRules, call: JudgedCall): boolean {
  const { command, paths } = call.touched!
  return command!.redirects.every((target) => {
    if (HARMLESS.has(target)) return true
    const path = paths.find((each) => each.access === 'write' && each.path === target)
    return path !== undefined && effects.write.find(path, call)?.rank === ALLOW
  })
}
