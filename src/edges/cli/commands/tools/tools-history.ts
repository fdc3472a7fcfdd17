import type { ToolVersion } from '../../../../crib/catalog/tool-versions.js'
import { isoTime } from '../../../../contract/iso-time.js'
import { oneLine, printable } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { withRecord } from '../../record/with-record.js'
import type { Terminal } from '../../terminal/terminal.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const [name = ''] = given.arguments
  return withRecord(given, terminal, async (crib) => {
    const versions = await crib.toolVersions(name)
    if (versions.length === 0)
      throw usageProblem(`No version of "${oneLine(name)}" was recorded; give the id of a tool.`)
    if (given.options.json) return terminal.printJson(versions.map(toJson), 2)
    for (const version of versions) print(version, terminal)
  })
}

function toJson({ fingerprint, firstSeenAt, lastSeenAt, isCurrent, diff }: ToolVersion): object {
  return {
    fingerprint,
    first_seen_at: firstSeenAt && isoTime(firstSeenAt),
    last_seen_at: lastSeenAt && isoTime(lastSeenAt),
    is_current: isCurrent,
    diff,
  }
}

function print(version: ToolVersion, { print: line, style }: Terminal): void {
  const { fingerprint, firstSeenAt, lastSeenAt, isCurrent, diff } = version
  const until = isCurrent ? 'now' : timeText(lastSeenAt)
  line(style.bold(`${fingerprint.slice(0, 19)}  ${timeText(firstSeenAt)} – ${until}`))
  for (const each of diff?.lines ?? []) {
    const paint = each.startsWith('+') ? style.good : each.startsWith('-') ? style.bad : String
    line(paint(`  ${printable(each)}`))
  }
}

function timeText(at: number | undefined): string {
  return at === undefined ? '?' : isoTime(at).slice(0, 16).replace('T', ' ')
}
