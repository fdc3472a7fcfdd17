import { describeProblem } from '../../../platform/config/describe-problem.js'
import { configEntries } from '../../../host/sources/config-entries.js'
import { nounOf } from '../../../sources/noun-of.js'
import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import { serverSettingsOf } from '../../../sources/mcp/settings/read-servers.js'
import { takesLogin } from '../../../sources/mcp/settings/takes-login.js'
import type { McpServerSettings } from '../../../sources/mcp/server-settings.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { unknownServer } from './unknown-server.js'
import { usageProblem } from '../program/usage-problem.js'

/** The server of that name, if it supports a login. */
export async function serverWithLogin(
  name: string,
  options: GivenOptions,
): Promise<McpServerSettings & { url: string }> {
  const settings = await loadSettingsOrStop(options)
  const entries = configEntries(settings)
  if (!entries.some(({ kind, entry }) => kind === mcpKind && entry === name)) {
    const other = entries.find(({ entry }) => entry === name)
    throw usageProblem(
      other
        ? `The ${other.kind.noun} "${name}" has no login here: only MCP servers and APIs have one.`
        : unknownServer(name, {
            names: entries.map(({ entry }) => entry),
            noun: nounOf(entries.map(({ kind }) => kind)),
          }),
    )
  }
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
