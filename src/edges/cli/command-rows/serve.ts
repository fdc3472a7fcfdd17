import type { CommandRow, OptionRow } from '../program/command.js'

export const serve: CommandRow = {
  name: 'serve',
  summary: 'start the gateway: one MCP endpoint for all tools',
  details:
    'It listens over HTTP on this machine, with a token that is created once and printed with a config to paste; or over --stdio, for a client that starts this program. The servers and programs of a config start only after it is trusted (toolcrib trust); the hints of its servers are then trusted too. Read-only tools run. Other tools need approval: in the client if it can ask, on the terminal of this command (y once, s for the session, a always, n deny), and through "toolcrib approvals". Each client and each call has a line in the log: time, client, tool, outcome and duration. Ctrl-C closes the gateway, a second Ctrl-C at once. With --json: one line when the gateway is ready, and one for each change of a server.',
  options: [
    {
      flags: '--port <number>',
      description: 'the port; 4747 unless the config sets another, 0 for a free port',
    },
    { flags: '--host <address>', description: 'listen on this address instead of 127.0.0.1' },
    {
      flags: '--token <token>',
      description: 'accept this token instead of the stored one',
      isSecret: true,
    },
    { flags: '--stdio', description: 'use standard input and output instead of HTTP' },
    {
      flags: '--project <folder>',
      description: 'use the config of this folder, not of folders above it',
    },
    {
      flags: '--names <how>',
      description: 'server: tool names include the server name; bare: only if they are ambiguous',
    },
    { flags: '--quiet', description: 'no log lines for clients and calls; approvals are still asked' },
    { flags: '--allow-anonymous', description: 'accept every client on this machine without a token' },
  ],
  examples: [
    'toolcrib serve',
    'toolcrib serve --config .mcp.json --port 8080',
    'toolcrib serve --stdio --config ~/tools/toolcrib.yaml',
  ],
  load: () => import('../commands/servers/serve.js'),
}

export const servers: CommandRow = {
  name: 'servers',
  summary: 'list the MCP servers and their states',
  details:
    'Connects to each server, reads its state and disconnects; a server that takes longer than --wait is listed as connecting. Exit code 1 if a server has failed. With --json: an array.',
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for slow servers; default 10' }],
  examples: ['toolcrib servers', 'toolcrib servers --wait 30 --json'],
  load: () => import('../commands/servers/servers.js'),
}

export const serversShow: CommandRow = {
  name: 'servers show',
  summary: 'show one MCP server in detail',
  details:
    'Shows its own description, its capabilities, its tools, and the last lines of its standard error.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for the server; default 10' }],
  examples: ['toolcrib servers show notes'],
  load: () => import('../commands/servers/servers-show.js'),
}

const serverFileOptions: readonly OptionRow[] = [
  { flags: '--user', description: 'change the config in your settings folder' },
  { flags: '--yes', description: 'change the file without asking' },
]

export const serversAdd: CommandRow = {
  name: 'servers add',
  summary: 'add an MCP server to the config',
  details:
    'Shows the command or address and asks for confirmation. A yes, or --yes, also trusts the changed file if it is new or was trusted before the change. Comments and everything else in the file stay. A config that is a program is not changed. ${NAME} in a value is replaced by the environment variable when the server starts. Nothing can be added from inside a tool call.',
  arguments: [
    { name: '<name>', description: 'its name in the config' },
    { name: '[target...]', description: 'the address; or, after --, the command and its arguments' },
  ],
  options: [
    {
      flags: '--header <header>',
      isSecret: true,
      description: '"Name: value", for an address; can be repeated',
      isRepeated: true,
    },
    {
      flags: '--env <variable>',
      description: 'NAME=value, for a command; can be repeated',
      isRepeated: true,
      isSecret: true,
    },
    ...serverFileOptions,
  ],
  examples: [
    'toolcrib servers add files -- npx -y @modelcontextprotocol/server-filesystem .',
    `toolcrib servers add issues https://example.com/mcp --header 'X-Key: \${KEY}'`,
    `toolcrib servers add gh --user --env TOKEN='\${TOKEN}' -- github-mcp-server stdio`,
  ],
  widens: () => true,
  load: () => import('../commands/servers/servers-add.js'),
}

export const serversRemove: CommandRow = {
  name: 'servers remove',
  summary: 'remove an MCP server from the config',
  details:
    'Comments and everything else in the file stay, and a file that was trusted before the change stays trusted.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: serverFileOptions,
  examples: ['toolcrib servers remove files', 'toolcrib servers remove github --user --yes'],
  widens: () => true,
  load: () => import('../commands/servers/servers-remove.js'),
}

export const toolsLint: CommandRow = {
  name: 'tools lint',
  summary: 'find problems in the tools of MCP servers',
  details:
    'Finds names that look like other names, hidden characters, descriptions with instructions for the model, and invalid schemas; also tools that can do harm and show nothing to classifiers, with one note for each server. Exit code 1 if there is an error. With --json: an array of findings.',
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for slow servers; default 10' }],
  examples: ['toolcrib tools lint', 'toolcrib tools lint --json'],
  load: () => import('../commands/tools/tools-lint.js'),
}

export const toolsDiff: CommandRow = {
  name: 'tools diff',
  summary: 'show the changes of server tools since they were accepted',
  details:
    'A changed tool is blocked until it is accepted. No server is started: the command uses the lists of the last connection, for example of "toolcrib servers". Exit code 1 if a tool changed.',
  arguments: [
    {
      name: '[name]',
      description: 'a tool, or a server for all of its tools; without it: all servers',
      completes: 'servers',
    },
  ],
  examples: ['toolcrib tools diff', 'toolcrib tools diff mcp.notes.write'],
  load: () => import('../commands/tools/tools-diff.js'),
}

export const toolsAccept: CommandRow = {
  name: 'tools accept',
  summary: 'accept the changes of a tool of a server',
  details:
    'Shows the changes, as "toolcrib tools diff" does, and asks for confirmation. Only a person at a terminal can accept them, and not from inside a tool call.',
  arguments: [
    { name: '<name>', description: 'a tool, or a server for all of its tools', completes: 'servers' },
  ],
  examples: ['toolcrib tools accept mcp.notes.write', 'toolcrib tools accept notes'],
  widens: () => true,
  load: () => import('../commands/tools/tools-accept.js'),
}
