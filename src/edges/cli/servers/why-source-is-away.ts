import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { SourceProblem } from '../../../sources/kind.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import type { ServerHealth } from '../../../sources/mcp/mcp-server.js'
import { asSentence, reasonText, showServerHint } from '../terminal/reason-text.js'

export interface SeenSources {
  problems: readonly SourceProblem[]
  /** How a server is; nothing where it is not there. */
  healthOf(server: string): ServerHealth | undefined
}

/** Why the tool of a name is not there, where that is because of its source: a name that is right must not look misspelt. */
export function whySourceIsAway(
  settings: Pick<CribSettings, 'config'>,
  tool: string,
  { problems, healthOf }: SeenSources,
): string | undefined {
  const part = entryOfTool(settings, tool)
  if (part?.tool === undefined) return undefined
  const server = `The server "${oneLine(part.entry)}"`
  const problem = problems.find((each) => each.entry === part.entry && each.isLeftOut)
  if (problem) return `${oneLine(problem.message.replace(/^t/, 'T'))}`
  const health = healthOf(part.entry)
  switch (health?.state) {
    case 'failed':
      return `${server} has failed: ${asSentence(reasonText(health.reason, health.said))} ${showServerHint(part.entry)}`
    case 'connecting':
      if (health.said !== undefined)
        return `${server} does not answer. ${oneLine(health.said)} ${showServerHint(part.entry)}`
      return `${server} does not answer; "${ownCommand('servers')}" shows how it is.`
    case 'disabled':
      return `${server} is disabled in the config.`
    default: // it is there, so that the name is wrong
      return undefined
  }
}
