import { describeFacts } from '../../../../approvals/describe-facts.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { homedir } from 'node:os'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import { isKnownTool, knownToolNames } from '../../../../policy/rules/known-tools.js'
import type { Catalog } from '../../../../catalog/catalog.js'
import type { ConsideredRule } from '../../../../policy/explain.js'
import { explainCall } from '../../../../crib/calls/explain-call.js'
import type { ExplainedCall, ExplainOptions } from '../../../../policy/explained-call.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import { hasSources } from '../../../../sources/kinds.js'
import { SERVED_OPEN_READS } from '../../../../host/serving/serving-defaults.js'
import { createDiskFacts } from '../../../../crib/files/disk-facts.js'
import { ownPaths } from '../../../../crib/policy/own-paths.js'
import { policyOf } from '../../../../crib/policy/policy-of.js'
import { parseMode, permissionModes } from '../../../../policy/permission-mode.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { eachJsonLine } from '../../input/each-json-line.js'
import { findServedTool } from '../../tools/find-served-tool.js'
import { fitText, wrapText } from '../../terminal/fit-text.js'
import { loadLayersOrStop } from '../../rules/load-layers-or-stop.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'
import { loadDecidersOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { parsePairs } from '../../input/parse-pairs.js'
import { readInput } from '../../input/read-input.js'
import { printRuleProblems } from '../../rules/print-rule-problems.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const [name, ...pairs] = given.arguments
  const settings = await loadListedToolsOrStop(options, terminal, { tool: name ?? '', isStrict: true })
  const layers = await loadLayersOrStop(settings, options)
  await sayWhoElseIsAsked(settings, terminal)
  printRuleProblems(layers, terminal)
  const workspace = process.cwd()
  const { catalog } = settings
  const disk = createDiskFacts(ownPaths({}, layers))
  const here = { ...disk, home: homedir(), workspace, find: catalog.find }
  const own = { ...here, policy: policyOf(layers, { workspace }) }
  const served = { ...here, policy: policyOf(layers, { workspace, openReads: SERVED_OPEN_READS }) }
  const explain = (asked: ExplainOptions): Explained => {
    const call = { approvalRequired: settings.config.surface?.approvalRequired, ...whoOf(options), ...asked }
    const { behavior, reason } = explainCall(served, call)
    return { ...explainCall(own, call), through_gateway: { behavior, reason } }
  }
  if (options['jsonl'] === true) {
    if (name !== undefined)
      throw usageProblem('With --jsonl each line names its tool, as {"tool": …, "input": …}.')
    return (await eachJsonLine(terminal, { like: LIKE, answer: (line) => answerLine(line, explain) })) ? 0 : 1
  }
  if (name === undefined) {
    throw usageProblem('Name a tool: toolcrib explain Bash --input \'{"command": "git push"}\'')
  }
  const known = catalog.find(name) ?? findServedTool(catalog.list(), name)
  const schema = known?.draft.input.modelSchema ?? {}
  const input =
    typeof options['input'] === 'string'
      ? await readInput(options['input'], terminal)
      : parsePairs(pairs, schema)
  if (settings.whyMissing !== undefined)
    terminal.explain(`${settings.whyMissing}\nIts tool is judged by name and input alone.`)
  else if (!known && !isKnownTool(name))
    sayUnknown(name, { catalog, terminal, hasSources: hasSources(settings) })
  const explained = explain({ tool: known?.toolId ?? name, input })
  if (options.json) terminal.printJson(explained, 2)
  else printExplained(explained, terminal)
  return 0
}

/** A gateway requires approval for fewer calls than a crib in a program, so that both answers are printed. */
interface Explained extends ExplainedCall {
  readonly through_gateway: Pick<ExplainedCall, 'behavior' | 'reason'>
}

/** Calls of other agents are judged by the name alone; a misspelled name must not look like one. */
function sayUnknown(
  name: string,
  { catalog, terminal, hasSources: isPartial }: { catalog: Catalog; terminal: Terminal; hasSources: boolean },
): void {
  const names = catalog.list().map(({ toolId }) => toolId)
  const near = nearestWord(name, [...knownToolNames, ...names])
  // Sources are not started for a name that may be meant for another agent.
  const inFull = isPartial && !name.includes('.') ? ' A tool of a source is named in full here.' : ''
  const hint = near === undefined ? inFull : ` Did you mean "${near}"?`
  terminal.explain(
    `There is no tool "${oneLine(name)}" here; it is judged by its name and input alone.${hint}`,
  )
}

/** Names the deciders of calls that no rule decides; this command does not ask them. */
async function sayWhoElseIsAsked(settings: CribSettings, terminal: Terminal): Promise<void> {
  const { engine, classifiers = [] } = await loadDecidersOrStop(settings)
  await engine?.close?.()
  const who = [
    ...(engine ? [`the policy engine "${engine.name}"`] : []),
    ...classifiers.map(({ id }) => `the classifier "${id}"`),
  ]
  if (who.length === 0) return
  const limit = settings.trust.isTrusted
    ? ''
    : `; until the config is trusted (${ownCommand('trust')}), no endpoint is asked, and no allow counts`
  terminal.explain(
    `In a call, ${oneLine(who.join(' and '))} would be asked about what no rule decides; this command does not ask${limit}.`,
  )
}

const LIKE = '{"tool": "Bash", "input": {"command": "ls"}}'

function whoOf({ actor, role, session }: GivenOptions): Partial<ExplainOptions> {
  return {
    ...(typeof actor === 'string' && { actor }),
    ...(typeof role === 'string' && { role }),
    ...(typeof session === 'string' && { session }),
  }
}

function answerLine(
  { tool, input, mode, actor, role, session, cwd }: Record<string, unknown>,
  explain: (asked: ExplainOptions) => Explained,
): object | string {
  if (typeof tool !== 'string' || tool === '') return 'names no tool'
  if (mode !== undefined && (typeof mode !== 'string' || parseMode(mode) === undefined)) {
    return `has the mode ${JSON.stringify(mode)}, but there are only ${permissionModes.join(', ')}`
  }
  const texts = Object.entries({ mode, actor, role, session, workspace: cwd }).filter(
    ([, value]) => typeof value === 'string',
  )
  const explained = explain({ tool, input: input ?? {}, ...Object.fromEntries(texts) })
  const { is_read_only, is_destructive, is_open_world } = explained.facts
  return { tool, input: input ?? {}, ...explained, is_read_only, is_destructive, is_open_world }
}

const LABEL = 9

function printExplained(explained: Explained, terminal: Terminal): void {
  const { style, columns } = terminal
  const row = (label: string, text: string): void => {
    wrapText(oneLine(text), columns - LABEL).forEach((line, index) => {
      terminal.print(`${style.dim((index === 0 ? label : '').padEnd(LABEL))}${line}`)
    })
  }
  const mark =
    explained.behavior === 'allow' ? style.good : explained.behavior === 'deny' ? style.bad : style.bold
  terminal.print(`${mark(explained.behavior)} ${oneLine(explained.tool_id)}`)
  row('why', explained.reason.message)
  const { behavior, reason } = explained.through_gateway
  if (behavior !== explained.behavior) {
    row('for', 'a program that uses the library, and commands while no gateway runs')
    row('gateway', `${behavior}: through "${ownCommand('serve')}", ${lowerFirst(reason.message)}`)
  }
  if (explained.winning_rule) row('rule', describeRule(explained.winning_rule))
  if (explained.waived_rule) row('waived', explained.waived_rule)
  if (explained.blocked_path) row('path', explained.blocked_path)
  row('mode', explained.mode)
  row('facts', describeFacts(explained.facts))
  for (const key of ['reads', 'writes', 'hosts', 'commands'] as const) {
    if (explained[key].length > 0) row(key, explained[key].join(', '))
  }
  printConsidered(explained.considered, terminal)
  if (explained.what_would_change.length > 0) {
    terminal.print(style.dim('What would change it'))
    for (const sentence of explained.what_would_change) row('', sentence)
  }
}

function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`
}

const MOST_SHOWN = 20

function printConsidered(considered: readonly ConsideredRule[], { style, print, columns }: Terminal): void {
  if (considered.length === 0) return print(style.dim('No rule speaks of this tool.'))
  const count = considered.length === 1 ? 'The rule' : `The ${considered.length} rules`
  print(style.dim(`${count} considered`))
  // The matching ones first; a few of the others are enough as examples.
  const sorted = considered.toSorted((a, b) => Number(a.matched === 'no') - Number(b.matched === 'no'))
  for (const rule of sorted.slice(0, MOST_SHOWN)) {
    print(`  ${fitText(rule.matched, 6)} ${fitText(oneLine(describeRule(rule)), columns - LABEL)}`.trimEnd())
  }
  if (sorted.length > MOST_SHOWN) print(style.dim(`  and ${sorted.length - MOST_SHOWN} more; --json has all`))
}

function describeRule({ behavior, text, source, file, line }: ConsideredRule): string {
  const where = file === undefined ? '' : ` ${file.split('/').at(-1)}${line === undefined ? '' : `:${line}`}`
  return `${behavior} ${text} (${source}${where})`
}
