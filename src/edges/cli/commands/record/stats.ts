import type { ToolDeclaration } from '../../../../contract/objects/tool-declaration.js'
import type { Crib } from '../../../../crib/crib.js'
import type { Statistics, ToolStatistics } from '../../../../crib/statistics/statistics-query.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { textOption, type ExitCode, type Given } from '../../program/command.js'
import { readSince } from '../../record/log-filters.js'
import { withRecord } from '../../record/with-record.js'
import { durationText } from '../../terminal/duration-text.js'
import { fitText } from '../../terminal/fit-text.js'
import type { Terminal } from '../../terminal/terminal.js'

const MINUTE_MS = 60_000
const BARS = 48
const MOST_TOOLS = 20
/** A command has no background: it waits until all calls are counted. */
const WAIT_MS = 10 * MINUTE_MS

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const since = readSince(textOption(options, 'since') ?? '24h', Date.now())
  return withRecord(given, terminal, async (crib) => {
    const statistics = await read(crib, since)
    if (options.json) return terminal.printJson(statistics)
    printTotals(statistics, terminal)
    printTools(statistics.by_tool, terminal)
    if (!statistics.is_complete) terminal.say('Older calls are not counted yet; run it again.')
  })
}

async function read(crib: Crib, since: number): Promise<Statistics> {
  const until = crib.store.now() + 1
  const stepMs = Math.max(1, Math.ceil((until - since) / BARS / MINUTE_MS)) * MINUTE_MS
  const statistics = await crib.statistics({ since, until, stepMs, waitMs: WAIT_MS })
  return { ...statistics, by_tool: await withNames(crib, statistics.by_tool) }
}

/** Commands that read the record load no tools: the names are those of the recorded definitions. */
async function withNames(crib: Crib, tools: readonly ToolStatistics[]): Promise<ToolStatistics[]> {
  const named: ToolStatistics[] = []
  for (const tool of tools) {
    const { namespace, name } = ((await crib.resolveRef(`tool:${tool.tool_id}`)) ??
      {}) as Partial<ToolDeclaration>
    const isKnown = namespace !== undefined && name !== undefined
    named.push(isKnown ? { ...tool, tool_name: `${namespace}.${name}` } : tool)
  }
  return named
}

function printTotals({ totals, points }: Statistics, { print, style }: Terminal): void {
  const share = (count: number): string =>
    count === 0 ? '' : `  ${((count / totals.calls) * 100).toFixed(1)}% of the calls`
  const row = (name: string, text: string): void => print(`${style.dim(name.padEnd(11))}${text.trimEnd()}`)
  const bars = sparkline(points.map(({ calls }) => calls))
  row('calls', `${numberText(totals.calls).padEnd(10)}  ${bars}`)
  row('errors', `${numberText(totals.errors).padEnd(10)}${share(totals.errors)}`)
  row('denied', `${numberText(totals.denials).padEnd(10)}${share(totals.denials)}`)
  row('canceled', `${numberText(totals.canceled).padEnd(10)}${share(totals.canceled)}`)
  row('approvals', numberText(totals.approvals))
  if (totals.p50_ms !== undefined) {
    const { p50_ms: p50, p95_ms: p95, p99_ms: p99 } = totals
    row('time', `p50 ${durationText(p50)}, p95 ${durationText(p95!)}, p99 ${durationText(p99!)}`)
  }
  const waits = [
    totals.wait_ms_p95 !== undefined && `p95 ${durationText(totals.wait_ms_p95)} for their turn`,
    totals.person_wait_ms_p95 !== undefined && `p95 ${durationText(totals.person_wait_ms_p95)} for people`,
  ].filter((each) => each !== false)
  if (waits.length > 0) row('waits', waits.join(', '))
  if (totals.tokens_saved > 0) row('saved', `${numberText(totals.tokens_saved)} tokens by deferred tools`)
}

function printTools(tools: readonly ToolStatistics[], { print, style, columns, say }: Terminal): void {
  if (tools.length === 0) return
  const nameWidth = Math.max(16, Math.min(60, Math.min(columns, 80) - 38))
  const line = (cells: readonly string[]): string =>
    `${fitText(cells[0]!, nameWidth)}${cells
      .slice(1)
      .map((cell, index) => cell.padStart(index < 2 ? 8 : 11))
      .join('')}`
  print('')
  print(style.dim(line(['tool', 'calls', 'errors', 'p50', 'p95'])))
  for (const { tool_id: id, tool_name: name = id, calls, errors, p50_ms: p50, p95_ms: p95 } of tools.slice(
    0,
    MOST_TOOLS,
  )) {
    const times = [p50, p95].map((ms) => (ms === undefined ? '' : durationText(ms)))
    const text = line([oneLine(name), numberText(calls), numberText(errors), ...times]).trimEnd()
    print(errors > 0 ? style.bad(text) : text)
  }
  if (tools.length > MOST_TOOLS) say(`and ${tools.length - MOST_TOOLS} more tools; --json has them all`)
}

const BLOCKS = '▁▂▃▄▅▆▇█'

/** One character for each number: a space for none, and the full block for the largest. */
function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers)
  const blockOf = (number: number): string =>
    number === 0 ? ' ' : BLOCKS[Math.ceil((number / most) * BLOCKS.length) - 1]!
  return numbers.map(blockOf).join('').trimEnd()
}

function numberText(number: number): string {
  return number.toLocaleString('en-US')
}
