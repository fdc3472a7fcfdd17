import type { CommandRow, OptionRow } from '../program/command.js'

const user: OptionRow = {
  flags: '--user <name>',
  description: 'for this user of the gateway, as in the records; default: you',
}

const scheme: OptionRow = {
  flags: '--scheme <name>',
  description: 'the security scheme of an API that has several logins',
}

export const login: CommandRow = {
  name: 'login',
  summary: 'log in to an MCP server or an API through the browser',
  details:
    'Tokens are stored sealed in your settings folder, only for this server or API and this address, and renewed automatically; a running gateway uses them. An API needs an OAuth client in its credentials; with the grant device_code, a code is printed for a browser on any device. Exit code 1 if the login failed.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--no-browser', description: 'only print the address to open' }, user, scheme],
  examples: ['toolcrib login issues', 'toolcrib login petstore --no-browser'],
  widens: () => true,
  load: () => import('../commands/servers/login.js'),
}

export const logout: CommandRow = {
  name: 'logout',
  summary: 'log out of an MCP server or an API',
  details: 'Removes the tokens here, and revokes them at the authorization server where possible.',
  arguments: [{ name: '<server>', description: 'its name in the config', completes: 'servers' }],
  options: [user, scheme],
  examples: ['toolcrib logout issues'],
  load: () => import('../commands/servers/logout.js'),
}
