import type { CompiledTool } from './rules/compile-tool.js'
import type { Doubt, MeantRule } from './commands/doubt.js'
import type { EffectRules } from './rules/effect-rules.js'
import { ALLOW, stricterOf, type Entry } from './rules/entry.js'
import { coverCommand } from './commands/cover-command.js'
import type { JudgedCall } from './judged-call.js'
import { cannotTell } from './commands/cannot-tell.js'
import { mayBeMeant } from './commands/may-be-meant.js'
import { mayRun } from './commands/may-run.js'
import type { PathIndex } from './indexes/path-index.js'
import { hostOf } from './patterns/host-pattern.js'
import { urlReadings } from './patterns/url-readings.js'
import type { TouchedPath } from './commands/touched.js'

/** What the rules say: the strictest deny or ask that matches, and the allow that covers the whole call. */
export interface RuleOutcome {
  tight: Entry | undefined
  allow: Entry | undefined
  /** The path that the deny or ask is about. */
  path: string | undefined
  /** Why the deny or ask only may match; absent if a condition of the rule leaves it open, or nothing does. */
  doubt: Doubt | undefined
  /** How many sub-commands the allow covers, if more than one. */
  parts: number
}

/** Deny over ask over allow, over all sources; an allow must cover every path, host and sub-command of its kind. */
export function judgeRules(tool: CompiledTool, effects: EffectRules, call: JudgedCall): RuleOutcome {
  const outcome: RuleOutcome = {
    tight: undefined,
    allow: undefined,
    path: undefined,
    doubt: undefined,
    parts: 1,
  }
  take(outcome, tool.callers.find(call))
  if (!tool.args.isEmpty) take(outcome, tool.args.find(call))
  const { hosts, urlOf } = call.tool
  if (hosts !== undefined) tighten(outcome, entryForHosts(tool, effects, call))
  if (urlOf) judgeUrl(outcome, tool, effects, call)
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
    mean(outcome, cannotTell(tool, effects, call))
    if (outcome.tight === undefined) mean(outcome, mayBeMeant(tool, effects, call) ?? mayRun(tool, call))
  }
  return outcome
}

function take(outcome: RuleOutcome, entry: Entry | undefined): void {
  if (entry === undefined) return
  if (entry.rank === ALLOW) outcome.allow ??= entry
  else tighten(outcome, entry)
}

/** Whether it is the strictest so far. */
function tighten(outcome: RuleOutcome, entry: Entry | undefined): boolean {
  if (entry === undefined || entry.rank === ALLOW) return false
  const strictest = stricterOf(outcome.tight, entry)
  if (strictest === outcome.tight) return false
  outcome.tight = strictest
  outcome.path = undefined
  outcome.doubt = undefined
  return true
}

function mean(outcome: RuleOutcome, meant: MeantRule | undefined): void {
  if (meant && tighten(outcome, meant.entry)) outcome.doubt = meant.doubt
}

function judgePaths(outcome: RuleOutcome, tool: CompiledTool, effects: EffectRules, call: JudgedCall): void {
  let covers: Entry | undefined
  let isCovered = true
  for (const path of call.touched!.paths) {
    const own = tightenByPath(outcome, tool.paths, path, call)
    tightenByPath(outcome, effectIndex(effects, path), path, call)
    if (own?.rank === ALLOW) covers ??= own
    else isCovered = false
  }
  // Rules about commands allow what a command touches: reading a file and running a program on it differ.
  if (isCovered && covers && !call.touched!.command) outcome.allow ??= covers
}

function effectIndex({ read, write }: EffectRules, { access }: TouchedPath): PathIndex {
  return access === 'read' ? read : write
}

function tightenByPath(
  outcome: RuleOutcome,
  index: PathIndex,
  path: TouchedPath,
  call: JudgedCall,
): Entry | undefined {
  const found = index.find(path, call)
  if (tighten(outcome, found)) {
    outcome.path = path.path
    if (found!.isMaybe) outcome.doubt = pathDoubt(index, path, call)
  }
  return found
}

/** Looked up again as a plain path: an entry that only counts as an ask may do so for the other reason. */
function pathDoubt(index: PathIndex, path: TouchedPath, call: JudgedCall): Doubt | undefined {
  const named = index.find({ ...path, walk: undefined, basis: undefined }, call)
  if (named === undefined || named.rank === ALLOW)
    return { kind: 'folder', path: path.path, access: path.access }
  return named.isMaybe ? undefined : { kind: 'content', path: path.path }
}

/** The strictest deny or ask for the hosts that a tool states. An allow for them does not cover what else the tool does. */
export function entryForHosts(tool: CompiledTool, effects: EffectRules, call: JudgedCall): Entry | undefined {
  let found: Entry | undefined
  for (const host of call.tool.hosts ?? []) {
    if (tool.hosts.size > 0) found = stricterOf(found, tool.hosts.find(host, call))
    if (effects.hosts.size > 0) found = stricterOf(found, effects.hosts.find(host, call))
  }
  return found?.rank === ALLOW ? undefined : found
}

/** Judges the URL that the call contacts, which is all that such a tool does, and its host. */
function judgeUrl(outcome: RuleOutcome, tool: CompiledTool, effects: EffectRules, call: JudgedCall): void {
  if (!tool.hasUrls && tool.hosts.size === 0 && effects.hosts.size === 0) return
  const given = call.tool.urlOf!(call.input)
  const host = given === undefined ? undefined : hostOf(given)
  if (given === undefined || host === undefined) return
  if (tool.hasUrls) take(outcome, entryOfUrl(tool, given, call))
  if (tool.hosts.size > 0) take(outcome, tool.hosts.find(host, call))
  if (effects.hosts.size > 0) tighten(outcome, effects.hosts.find(host, call))
}

/** A deny or an ask for one reading of the URL is enough; an allow must cover every reading. */
function entryOfUrl(tool: CompiledTool, url: string, call: JudgedCall): Entry | undefined {
  let tight: Entry | undefined
  let allow: Entry | undefined
  let isAllowed = true
  for (const reading of urlReadings(url)) {
    const found = tool.urls.find(reading, undefined, call)
    if (found === undefined) isAllowed = false
    else if (found.rank === ALLOW) allow ??= found
    else tight = stricterOf(tight, found)
  }
  return tight ?? (isAllowed ? allow : undefined)
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
      const own = entryOfUrl(tool, url, call)
      tighten(outcome, own)
      if (own?.rank === ALLOW) byUrl ??= own
      else areUrlsCovered = false
    }
  }
  if (command) return
  if (isCovered && covers) outcome.allow ??= covers
  else if (areUrlsCovered && byUrl) outcome.allow ??= byUrl
}
