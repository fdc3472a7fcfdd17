import { ownCommand } from '../../../platform/text/own-command.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'

/** What to say of a name that is none of the servers'. */
export function unknownServer(name: string, names: readonly string[]): string {
  const near = nearestWord(name, names)
  if (near !== undefined) return `There is no server "${name}"; did you mean "${near}"?`
  return names.length === 0
    ? `The config names no MCP servers; write them under "mcpServers", or run: ${ownCommand('init')}`
    : `There is no server "${name}"; the config has ${names.join(', ')}.`
}
