import type { CommandRow, OptionRow } from '../program/command.js'

const user: OptionRow = {
  flags: '--user <name>',
  description: 'for this user of the gateway, as in the records; default: you',
}

export const login: CommandRow = {
  name: 'login',
  summary: 'log in to an MCP server through the browser',
  details:
    'Tokens are stored sealed in your settings folder, only for this server and this address, and renewed automatically; a running gateway uses them. Exit code 1 if the login failed.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--no-browser', description: 'only print the address to open' }, user],
  examples: ['toolcrib login issues', 'toolcrib login issues --no-browser'],
  widens: () => true,
  load: () => import('../commands/servers/login.js'),
}

export const logout: CommandRow = {
  name: 'logout',
  summary: 'log out of an MCP server',
  details: 'Removes the tokens here, and revokes them at the authorization server where possible.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [user],
  examples: ['toolcrib logout issues'],
  load: () => import('../commands/servers/logout.js'),
}
