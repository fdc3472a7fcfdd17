import type { SubCommand } from '../../shell/shell-reading.js'
import type { CompiledTool } from '../rules/compile-tool.js'
import type { EffectRules } from '../rules/effect-rules.js'
import { ALLOW, stricterOf, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import { plainCommand } from '../../shell/plain-command.js'
import { squeeze } from '../patterns/command-pattern.js'

export interface CommandCover {
  tight: Entry | undefined
  allow: Entry | undefined
  parts: number
}

interface Covering {
  all: readonly SubCommand[]
  allows: readonly (Entry | undefined)[]
  hosts: readonly string[]
}

/** Redirect targets that are connections, not files. */
const SENDS = /\/dev\/(?:tcp|udp)\//

/** Devices that a redirect may always write to. */
const HARMLESS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty'])

/**
 * What the command rules say about a whole command line. A deny or ask needs one matching part, also inside wrappers
 * and substitutions; an allow needs every part to be allowed or proven read-only, and every redirect to be allowed.
 */
export function coverCommand(tool: CompiledTool, effects: EffectRules, call: JudgedCall): CommandCover {
  const { command, commandText } = call.touched!
  const none: CommandCover = { tight: undefined, allow: undefined, parts: 0 }
  if (tool.commands.size === 0) return none
  const whole = tool.commands.find(squeeze(commandText ?? ''), call)
  const found = command!.commands.map(({ text }) => tool.commands.find(text, call))
  const plain = command!.commands.map(({ words }) => {
    const text = plainCommand(words)
    return text === undefined ? undefined : tool.commands.find(text, call)
  })
  const tight = [whole, ...found, ...plain].reduce<Entry | undefined>(
    (best, entry) => (entry && entry.rank > ALLOW ? stricterOf(best, entry) : best),
    undefined,
  )
  if (whole?.rank === ALLOW && isExactRule(whole)) return { tight, allow: whole, parts: 1 }
  if (!command!.isParsed || command!.commands.length === 0) return { ...none, tight }
  if (command!.changesMeaning || command!.hidesCode || SENDS.test(commandText ?? ''))
    return { ...none, tight }
  const allows = found.map((entry) => (entry?.rank === ALLOW ? entry : undefined))
  const isCovered = command!.commands.every((each, index) =>
    covers(each, index, { all: command!.commands, allows, hosts: command!.hosts }),
  )
  const allow = isCovered ? allows.find((entry) => entry !== undefined) : undefined
  if (!allow || !areRedirectsAllowed(effects, call)) return { ...none, tight }
  return { tight, allow, parts: command!.commands.length }
}

/** A rule that gives the whole line word for word covers its redirects too. */
export function isExactRule({ rule }: Entry): boolean {
  return rule.specifier !== undefined && !rule.specifier.includes('*')
}

/** A rule that names a program: `npm test:*` does, `*` does not. */
export function isSpecific({ rule: { specifier } }: Entry): boolean {
  return specifier !== undefined && !/^(?:command:)?\s*:?\*/.test(specifier)
}

function covers(command: SubCommand, index: number, { all, allows, hosts }: Covering): boolean {
  if (allows[index]) return true
  // A read-only part may stand beside allowed parts, but it must not send data away.
  if (command.isReadOnly && !hosts.some((host) => command.text.includes(host))) return true
  // An allow for `sudo systemctl` covers what it runs; a wrapper that adds nothing is allowed by what it runs.
  if (allowAbove(command, all, allows)) return true
  if (!command.isTransparent) return false
  const inner = all.flatMap((each, at) => (each.wrappedBy === index ? [at] : []))
  return inner.length > 0 && inner.every((at) => covers(all[at]!, at, { all, allows, hosts }))
}

/** Only effects of the allowed words themselves: other effects were not visible to the author of the rule. */
export function allowAbove(
  { text, wrappedBy }: SubCommand,
  all: readonly SubCommand[],
  allows: readonly (Entry | undefined)[],
): boolean {
  for (let at = wrappedBy; at !== undefined; at = all[at]!.wrappedBy) {
    if (allows[at] && all[at]!.text.includes(text)) return true
  }
  return false
}

function areRedirectsAllowed(effects: EffectRules, call: JudgedCall): boolean {
  const { command, paths } = call.touched!
  if (command!.hidesTarget) return false
  return command!.redirects.every((target) => {
    if (HARMLESS.has(target)) return true
    const path = paths.find((each) => each.access === 'write' && each.path === target)
    return path !== undefined && effects.write.find(path, call)?.rank === ALLOW
  })
}
