import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { ConfigEntry } from '../../../host/sources/config-entries.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import type { EntryProblem } from '../../../host/sources/open-configured-sources.js'
import type { SourceStatus } from '../../../sources/source.js'
import { asSentence, reasonText, showServerHint } from '../../../host/sources/reason-text.js'

export interface SourceStates {
  problems: readonly EntryProblem[]
  /** The state of an entry; undefined where it is missing. */
  stateOf(entry: ConfigEntry): SourceStatus | undefined
}

/** Why a tool is missing because of its source: a correct name must not look misspelled. */
export function whySourceIsMissing(
  settings: Pick<CribSettings, 'config'>,
  tool: string,
  { problems, stateOf }: SourceStates,
): string | undefined {
  const part = entryOfTool(settings, tool)
  if (part?.tool === undefined) return undefined
  const { kind, entry } = part
  const source = `The ${kind.noun} "${oneLine(entry)}"`
  const problem = problems.find((each) => each.kind === kind && each.entry === entry && each.isLeftOut)
  if (problem) return `${oneLine(problem.message.replace(/^t/, 'T'))}`
  const now = stateOf(part)
  switch (now?.state) {
    case 'failed':
      return `${source} has failed: ${asSentence(reasonText(now.problem, now.said))} ${showServerHint(entry)}`
    case 'connecting':
      if (now.said !== undefined)
        return `${source} does not answer. ${oneLine(now.said)} ${showServerHint(entry)}`
      return `${source} does not answer; "${ownCommand('servers')}" shows how it is.`
    case 'disabled':
      return `${source} is disabled in the config.`
    default: // the source works, so that the name is wrong
      return undefined
  }
}
