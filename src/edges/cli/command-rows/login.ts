import type { CommandRow, OptionRow } from '../program/command.js'

const user: OptionRow = {
  flags: '--user <name>',
  description: 'for this user of the gateway, as in the records; you, unless said',
}

export const login: CommandRow = {
  name: 'login',
  summary: 'log in to an MCP server through the browser',
  details:
    'Tokens are kept sealed in your own settings folder, for this server and this address alone, and renewed by themselves; a gateway that runs picks them up. Exit code 1 when the login did not work.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--no-browser', description: 'only print the address to open' }, user],
  examples: ['toolcrib login issues', 'toolcrib login issues --no-browser'],
  widens: () => true,
  load: () => import('../commands/servers/login.js'),
}

export const logout: CommandRow = {
  name: 'logout',
  summary: 'forget the login to an MCP server',
  details: 'The tokens are removed here, and revoked where the authorization server can be told.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [user],
  examples: ['toolcrib logout issues'],
  load: () => import('../commands/servers/logout.js'),
}
