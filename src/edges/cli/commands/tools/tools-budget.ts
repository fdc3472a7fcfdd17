import { ownCommand } from '../../../../platform/text/own-command.js'
import { previewSurface } from '../../../../host/preview-surface.js'
import { surfaceRequestOf } from '../../../../host/load-settings.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import { loadCostOf } from '../../../../surfaces/tool-cost.js'
import {
  toBudgetReport,
  type Budget,
  type BudgetReport,
  type ToolCostRow,
} from '../../tools/budget-report.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { cutText } from '../../terminal/fit-text.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'
import { howToBegin } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import type { Terminal } from '../../terminal/terminal.js'
import { wholeNumber } from '../../input/whole-number.js'

const DEFAULT_TOKENS = 10_000
/** With the totals, they fit one screen. */
const MOST_ROWS = 12

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const given = options['tokens'] === undefined ? undefined : wholeNumber('--tokens', options['tokens'])
  const settings = await loadListedToolsOrStop(options, terminal)
  const budget = budgetOf(settings, given)
  const request = surfaceRequestOf(settings)
  const deferral = { ...request.deferral, budgetTokens: budget.tokens }
  const surface = await previewSurface(settings, { ...request, deferral })
  const report = toBudgetReport(surface, { budget, costOf: await loadCostOf() })
  const shown = redactorFor(settings.config, settings.secrets).value(report)
  if (options.json) terminal.printJson(shown, 2)
  else if (shown.tools.length > 0) printReport(shown, options, terminal)
  if (settings.configPath === undefined) terminal.say(howToBegin())
  else if (shown.tools.length === 0)
    terminal.explain(`The surface of this config has no tools; "${ownCommand('tools')}" says why.`)
  return 0
}

function budgetOf({ config }: CribSettings, given: number | undefined): Budget {
  if (given !== undefined) return { tokens: given, origin: 'option' }
  const tokens = config.surface?.deferral?.budgetTokens
  return tokens === undefined ? { tokens: DEFAULT_TOKENS, origin: 'default' } : { tokens, origin: 'config' }
}

function printReport(report: BudgetReport, options: GivenOptions, terminal: Terminal): void {
  const { style } = terminal
  const rows = options['all'] === true ? report.tools : report.tools.slice(0, MOST_ROWS)
  const left = report.tools.slice(rows.length)
  const width = Math.max('tokens'.length, countText(report.total_tokens).length)
  terminal.print(style.dim(`${'tokens'.padStart(width)}   share  visibility  tool`))
  for (const row of rows) printRow(row, { width, total: report.total_tokens, terminal })
  if (left.length > 0) {
    const more = left.length === 1 ? '1 more tool' : `${left.length} more tools`
    const text = `and ${more} of ${countText(left[0]!.tokens)} tokens or less; --all shows all`
    terminal.print(style.dim(`${countText(sumOf(left)).padStart(width)}  ${text}`))
  }
  terminal.print('')
  for (const line of totalLines(report)) terminal.print(line)
  for (const sentence of sentencesOf(report)) terminal.printText(sentence)
}

function printRow(
  { tool_id: id, tokens, visibility }: ToolCostRow,
  { width, total, terminal }: { width: number; total: number; terminal: Terminal },
): void {
  const { style, columns } = terminal
  const share = `${((100 * tokens) / total).toFixed(1)}%`
  const head = `${countText(tokens).padStart(width)}  ${share.padStart(6)}  `
  const name = cutText(oneLine(id), Math.max(16, columns - head.length - 'visibility  '.length))
  terminal.print(
    `${head}${style.dim(visibility.padEnd(12))}${visibility === 'loaded' ? style.bold(name) : name}`,
  )
}

function totalLines(report: BudgetReport): string[] {
  const { tools, total_tokens: total, loaded_tokens: loaded, deferred_tokens: deferred } = report
  const many = (some: readonly ToolCostRow[]): string =>
    `${countText(some.length)} ${some.length === 1 ? 'tool' : 'tools'}`
  const of = (visibility: ToolCostRow['visibility']): string =>
    many(tools.filter((tool) => tool.visibility === visibility))
  const finding = report.discovery_tools.join(' and ')
  const found = finding && `, with ${finding} (${countText(report.discovery_tokens)} tokens)`
  const rows = [
    ['all tools', total, many(tools)],
    ['loaded', loaded, `${of('loaded')}${found}`],
    ['deferred', deferred, of('deferred')],
  ] as const
  const width = countText(Math.max(total, loaded)).length
  return rows.map(
    ([name, tokens, what]) => `${name.padEnd(11)}${countText(tokens).padStart(width)} tokens  ${what}`,
  )
}

function sentencesOf(report: BudgetReport): string[] {
  return [`${budgetText(report)} ${outcomeText(report)}`, ...hintsFor(report)]
}

function budgetText({ budget_tokens: tokens, budget_origin: origin }: BudgetReport): string {
  const sentence = `The budget is ${countText(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
  switch (origin) {
    case 'option':
      return `${sentence}, as --tokens says.`
    case 'config':
      return `${sentence}, as surface.deferral.budgetTokens says.`
    case 'default':
      return `The config sets no budget; this is what one of ${countText(tokens)} tokens would do.`
  }
}

function outcomeText(report: BudgetReport): string {
  const { decision, saved_tokens: saved, total_tokens: total, deferred_tokens: deferred } = report
  const saves = `deferral saves ${countText(saved)} tokens (${Math.floor((100 * saved) / total)}%) in the first prompt`
  switch (decision) {
    case 'within_budget':
      if (deferred === 0) return 'All tools fit, and none is deferred.'
      return saved > 0
        ? `What is loaded fits; ${saves}.`
        : 'What is loaded fits; what is deferred saves nothing.'
    case 'no_gain':
      return 'The tools take more, but to defer them would save nothing.'
    case 'deferred':
      return `The tools take more: ${saves}.`
  }
}

function hintsFor(report: BudgetReport): string[] {
  const { budget_origin: origin, decision } = report
  const isOver = report.loaded_tokens > report.budget_tokens
  return [
    ...(decision === 'deferred' && isOver
      ? ['What is always loaded takes more than the budget by itself.']
      : []),
    ...(decision === 'deferred' && origin !== 'config'
      ? [`To defer like this: surface: { deferral: { budgetTokens: ${report.budget_tokens} } }`]
      : []),
  ]
}

function sumOf(tools: readonly ToolCostRow[]): number {
  return tools.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** `12,345`. */
function countText(count: number): string {
  return count.toLocaleString('en-US')
}
