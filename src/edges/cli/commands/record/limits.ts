import { meansOneOf } from '../../../../scheduling/limits/compile-limit.js'
import { describeCounted } from '../../../../scheduling/limits/refusals.js'
import type { BreakerStatus, CountState, LimitState } from '../../../../scheduling/limits/limits-state.js'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import { hasRecord } from '../../../../storage/has-record.js'
import { openStore } from '../../../../storage/open-store.js'
import { configuredStore } from '../../../../host/stores/configured-store.js'
import { loadCrib } from '../../../../host/load-crib.js'
import { hasSources } from '../../../../sources/kinds.js'
import type { Catalog } from '../../../../catalog/catalog.js'
import type { ExitCode, Given } from '../../program/command.js'
import { durationText } from '../../terminal/duration-text.js'
import { wrapText } from '../../terminal/fit-text.js'
import { howToBegin, loadToolsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadToolsOrStop(options, { terminal })
  const { configPath, drafts, catalog } = settings
  const named = configuredStore(settings, options.store)
  // Reading must not create a file: without a record, nothing is counted.
  const store = hasRecord(openStore(named)) ? named : 'memory'
  const more = { approvals: { claim: false } }
  const crib = await loadCrib({ settings, tools: drafts, store, outside: {}, more })
  try {
    const { limits, breaker } = await crib.limits()
    if (options.json) terminal.printJson({ limits, ...(breaker && { breaker }) }, 2)
    else {
      for (const limit of limits) printLimit(limit, terminal)
      if (breaker) printBreaker(breaker, terminal)
    }
    // The tools of servers are unknown without connecting to them.
    if (!hasSources(settings)) for (const sentence of unknownTools(limits, catalog)) terminal.say(sentence)
    if (configPath === undefined) terminal.say(howToBegin())
    else if (limits.length === 0 && !breaker)
      terminal.say(`${configPath} limits nothing; add "limits" or "breaker", see docs/limits.md.`)
    return 0
  } finally {
    await crib.close()
  }
}

/** A limit on a missing tool silently protects nothing. */
function unknownTools(limits: readonly LimitState[], catalog: Catalog): string[] {
  const tools = catalog.list()
  if (tools.length === 0) return []
  const names = tools.flatMap(({ toolId, draft }) => [toolId, draft.name, ...draft.aliases])
  const given = new Set(limits.flatMap(({ of }) => of.tool ?? []))
  return [...given]
    .filter((name) => !tools.some((tool) => meansOneOf([name], tool, catalog.find)))
    .map((name) => {
      const near = nearestWord(name, names)
      return `No tool here is called "${oneLine(name)}"${near ? `; did you mean "${near}"?` : '.'}`
    })
}

function printLimit(limit: LimitState, terminal: Terminal): void {
  printHead(ruleText(limit), terminal)
  for (const line of limit.counts.flatMap((count) => countLines(limit, count))) printBelow(line, terminal)
  if (limit.counts.length === 0) printBelow('nothing is used', terminal, terminal.style.dim)
}

function printHead(text: string, { style, columns, print }: Terminal): void {
  for (const line of wrapText(oneLine(text), columns)) print(style.bold(line))
}

const INDENT = '  '

function printBelow(
  text: string,
  { columns, print }: Terminal,
  style: (line: string) => string = (line) => line,
): void {
  for (const line of wrapText(oneLine(text), columns - INDENT.length)) print(style(`${INDENT}${line}`))
}

/** `60 a minute, 4 at a time by tool, of tool web.*; over it: wait up to 1 min 0 s`. */
function ruleText({ by, of, perMinute, burst, concurrent, perRun, over, maxWaitMs }: LimitState): string {
  const numbers = [
    perMinute !== undefined && `${perMinute} a minute${burst === perMinute ? '' : ` (${burst} at once)`}`,
    concurrent !== undefined && `${concurrent} at a time`,
    perRun !== undefined && `${perRun} a run`,
  ].filter((each) => each !== false)
  const scope = Object.entries(of).map(([dimension, names]) => `${dimension} ${names.join(', ')}`)
  const about = scope.length === 0 ? '' : `, of ${scope.join(' and ')}`
  const waits = maxWaitMs === undefined ? 'wait' : `wait up to ${setText(maxWaitMs)}`
  return `${numbers.join(', ')} by ${listText(by)}${about}; over it: ${over === 'refuse' ? 'refuse' : waits}`
}

/** A configured time, not a measured one: `30 s`, not `30.0 s`. */
function setText(ms: number): string {
  return durationText(ms).replace('.0 s', ' s')
}

function listText(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const MOST_RUNS = 10

function countLines(limit: LimitState, { of, used, waitMs, running, runs = [] }: CountState): string[] {
  const whose = describeCounted({ of: {} }, of)
  const now = [
    used !== undefined && `${used} of ${limit.burst} used`,
    waitMs !== undefined && waitMs > 0 && `next in ${durationText(waitMs)}`,
    running !== undefined && `${running} of ${limit.concurrent} running`,
  ].filter((each) => typeof each === 'string')
  const more = runs.length - MOST_RUNS
  return [
    ...(now.length > 0 ? [`${now.join(', ')} ${whose}`] : []),
    ...runs
      .slice(0, MOST_RUNS)
      .map(({ run, used: spent }) => `${spent} of ${limit.perRun} in ${runText(run)} ${whose}`),
    ...(more > 0 ? [`and ${more} more runs ${whose}`] : []),
  ]
}

function runText(run: { session: string } | { surface: string }): string {
  return 'session' in run ? `the session ${run.session}` : run.surface
}

/** Circuits belong to the processes that make calls; this process makes none. */
function printBreaker({ failures, openMs, probes }: BreakerStatus, terminal: Terminal): void {
  const tries = probes === 1 ? 'then one call tries it' : `then ${probes} calls try it`
  const when = failures === 1 ? '1 failure' : `${failures} failures in a row`
  printHead(`after ${when} a source is left alone for ${setText(openMs)}; ${tries}`, terminal)
  printBelow('each process that calls has circuits of its own', terminal, terminal.style.dim)
}
