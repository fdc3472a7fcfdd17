import type { CompiledTool } from './compile-tool.js'
import type { EffectRules } from './effect-rules.js'
import { ALLOW, stricterOf, type Entry } from './entry.js'
import { coverCommand } from './cover-command.js'
import type { JudgedCall } from './judged-call.js'
import { cannotTell } from './cannot-tell.js'
import { mayBeMeant } from './may-be-meant.js'
import { mayRun } from './may-run.js'
import type { TouchedPath } from './touched.js'

/** What the rules say: the strictest deny or ask that holds, and the allow that covers the whole call. */
export interface RuleOutcome {
  tight: Entry | undefined
  allow: Entry | undefined
  /** The path that the deny or ask is about. */
  path: string | undefined
  /** How many sub-commands the allow covers, where it is more than one. */
  parts: number
}

/** Deny over ask over allow, over all sources; an allow must cover every path, host and sub-command of its kind. */
export function judgeRules(tool: CompiledTool, effects: EffectRules, call: JudgedCall): RuleOutcome {
  const outcome: RuleOutcome = { tight: undefined, allow: undefined, path: undefined, parts: 1 }
  take(outcome, tool.callers.find(call))
  if (!tool.args.isEmpty) take(outcome, tool.args.find(call))
  const { touched } = call
  if (touched === undefined) return outcome
  if (touched.paths.length > 0) judgePaths(outcome, tool, effects, call)
  if (touched.hosts.length > 0 || touched.urls.length > 0) judgeHosts(outcome, tool, effects, call)
  if (touched.command) {
    const { tight, allow, parts } = coverCommand(tool, effects, call)
    tighten(outcome, tight)
    if (allow) {
      outcome.allow ??= allow
      outcome.parts = parts
    }
    tighten(outcome, cannotTell(tool, effects, call))
    if (outcome.tight === undefined) tighten(outcome, mayBeMeant(tool, effects, call) ?? mayRun(tool, call))
  }
  return outcome
}

function take(outcome: RuleOutcome, entry: Entry | undefined): void {
  if (entry === undefined) return
  if (entry.rank === ALLOW) outcome.allow ??= entry
  else tighten(outcome, entry)
}

function tighten(outcome: RuleOutcome, entry: Entry | undefined, path?: string): void {
  if (entry === undefined || entry.rank === ALLOW) return
  const strictest = stricterOf(outcome.tight, entry)
  if (strictest === outcome.tight) return
  outcome.tight = strictest
  outcome.path = path
}

function judgePaths(outcome: RuleOutcome, tool: CompiledTool, effects: EffectRules, call: JudgedCall): void {
  let covers: Entry | undefined
  let isCovered = true
  for (const path of call.touched!.paths) {
    const own = tool.paths.find(path, call)
    tighten(outcome, own, path.path)
    tighten(outcome, effectRule(effects, path, call), path.path)
    if (own?.rank === ALLOW) covers ??= own
    else isCovered = false
  }
  // What a command touches is allowed by rules about commands: reading a file and running a program on it differ.
  if (isCovered && covers && !call.touched!.command) outcome.allow ??= covers
}

export function effectRule(effects: EffectRules, path: TouchedPath, call: JudgedCall): Entry | undefined {
  return (path.access === 'read' ? effects.read : effects.write).find(path, call)
}

function judgeHosts(outcome: RuleOutcome, tool: CompiledTool, effects: EffectRules, call: JudgedCall): void {
  const { hosts, urls, command } = call.touched!
  let covers: Entry | undefined
  let isCovered = true
  for (const host of hosts) {
    const own = tool.hosts.size > 0 ? tool.hosts.find(host, call) : undefined
    tighten(outcome, own)
    if (effects.hosts.size > 0) tighten(outcome, effects.hosts.find(host, call))
    if (own?.rank === ALLOW) covers ??= own
    else isCovered = false
  }
  let byUrl: Entry | undefined
  let areUrlsCovered = tool.hasUrls && urls.length > 0
  if (tool.hasUrls) {
    for (const url of urls) {
      const own = tool.urls.find(url, undefined, call)
      tighten(outcome, own)
      if (own?.rank === ALLOW) byUrl ??= own
      else areUrlsCovered = false
    }
  }
  if (command) return
  if (isCovered && covers) outcome.allow ??= covers
  else if (areUrlsCovered && byUrl) outcome.allow ??= byUrl
}
