import { describeProblem } from '../../../platform/config/describe-problem.js'
import { serverSettingsOf } from '../../../sources/mcp/settings/read-servers.js'
import { takesLogin } from '../../../sources/mcp/settings/takes-login.js'
import type { McpServerSettings } from '../../../sources/mcp/server-settings.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { unknownServer } from './unknown-server.js'
import { usageProblem } from '../program/usage-problem.js'

/** The server of that name, where a login is how one comes in there. */
export async function serverWithLogin(
  name: string,
  options: GivenOptions,
): Promise<McpServerSettings & { url: string }> {
  const settings = await loadSettingsOrStop(options)
  const names = Object.keys(settings.config.mcpServers ?? {})
  if (!names.includes(name)) throw usageProblem(unknownServer(name, names))
  const { servers, problems } = serverSettingsOf(settings, process.env)
  const server = servers[name]
  if (!server) {
    const wrong = problems.filter((problem) => problem.entry === name && problem.isLeftOut)
    throw usageProblem(wrong.map((problem) => describeProblem(problem)).join('\n'))
  }
  const { url } = server
  if (url === undefined)
    throw usageProblem(`The server "${name}" is a program on this machine: it needs no login.`)
  if (!takesLogin(server)) {
    throw usageProblem(
      `The server "${name}" has an Authorization header in the config; remove it there to log in instead.`,
    )
  }
  return { ...server, url }
}
