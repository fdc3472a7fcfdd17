import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { ServerProblem } from '../../../host/servers/load-servers.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { serverOfTool } from '../../../host/servers/server-of-tool.js'
import type { ServerHealth } from '../../../sources/mcp/mcp-server.js'
import { asSentence, reasonText, showServerHint } from '../terminal/reason-text.js'

export interface SeenServers {
  problems: readonly ServerProblem[]
  /** How a server is; nothing where it is not there. */
  healthOf(server: string): ServerHealth | undefined
}

/** Why the tool of a name is not there, where that is because of its server: a name that is right must not look misspelt. */
export function whyServerIsAway(
  settings: Pick<CribSettings, 'config'>,
  tool: string,
  { problems, healthOf }: SeenServers,
): string | undefined {
  const part = serverOfTool(settings, tool)
  if (part?.tool === undefined) return undefined
  const server = `The server "${oneLine(part.server)}"`
  const problem = problems.find((each) => each.server === part.server && each.isLeftOut)
  if (problem) return `${oneLine(problem.message.replace(/^t/, 'T'))}`
  const health = healthOf(part.server)
  switch (health?.state) {
    case 'failed':
      return `${server} has failed: ${asSentence(reasonText(health.reason, health.said))} ${showServerHint(part.server)}`
    case 'connecting':
      if (health.said !== undefined)
        return `${server} does not answer. ${oneLine(health.said)} ${showServerHint(part.server)}`
      return `${server} does not answer; "${ownCommand('servers')}" shows how it is.`
    case 'disabled':
      return `${server} is disabled in the config.`
    default: // it is there, so that the name is wrong
      return undefined
  }
}
