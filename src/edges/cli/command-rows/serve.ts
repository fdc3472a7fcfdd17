import type { CommandRow, OptionRow } from '../program/command.js'

export const serve: CommandRow = {
  name: 'serve',
  summary: 'open one MCP endpoint in front of everything',
  details:
    'HTTP on this machine, with a token that is made once and printed with a config to paste; or --stdio, for a client that starts this program. What a config names starts once it is trusted (toolcrib trust), and its servers are then believed in their hints. Read-only tools run. Other tools need approval: in the client where it can ask, on the terminal of this command (y once, s for the session, a always, n deny), and through "toolcrib approvals". Each client and each call has a line in the log: time, client, tool, outcome and duration. Ctrl-C closes everything, a second one at once. With --json: one line when it is open, and one for each change of a server.',
  options: [
    {
      flags: '--port <number>',
      description: 'listen here; 4747 unless the config says another, 0 for a free one',
    },
    { flags: '--host <address>', description: 'listen on this address, not only on 127.0.0.1' },
    {
      flags: '--token <token>',
      description: 'let in whoever shows this token, not the one that is kept',
      isSecret: true,
    },
    { flags: '--stdio', description: 'speak over standard input and output' },
    {
      flags: '--project <folder>',
      description: 'the config of this folder, and none above it',
    },
    {
      flags: '--names <how>',
      description: 'server: tools carry the name of their server; bare: where clear, they do not',
    },
    { flags: '--quiet', description: 'no lines for clients and calls; questions are asked all the same' },
    { flags: '--allow-anonymous', description: 'let in everybody on this machine' },
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
    'Each is connected to, looked at and left again; one that takes longer than --wait is listed as connecting. Exit code 1 when one has failed. With --json: an array.',
  options: [{ flags: '--wait <seconds>', description: 'wait so long for slow servers; 10 unless said' }],
  examples: ['toolcrib servers', 'toolcrib servers --wait 30 --json'],
  load: () => import('../commands/servers/servers.js'),
}

export const serversShow: CommandRow = {
  name: 'servers show',
  summary: 'show all about one MCP server',
  details: 'What it says of itself, what it can do, its tools, and the last lines of its standard error.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--wait <seconds>', description: 'wait so long for it; 10 unless said' }],
  examples: ['toolcrib servers show notes'],
  load: () => import('../commands/servers/servers-show.js'),
}

const serverFileOptions: readonly OptionRow[] = [
  { flags: '--user', description: 'in the config of your own settings folder' },
  { flags: '--yes', description: 'change the file without asking' },
]

export const serversAdd: CommandRow = {
  name: 'servers add',
  summary: 'add an MCP server to the config',
  details:
    'Shows what would be started or reached, and asks. A yes, or --yes, also trusts the changed file where it is new or was trusted as it was. Comments and everything else in the file stay. A config that is a program is not changed. ${NAME} in a value takes a variable of the environment when the server starts. From inside a tool call nothing can be added.',
  arguments: [
    { name: '<name>', description: 'its name in the config' },
    { name: '[target...]', description: 'the address; or, after --, the command and its arguments' },
  ],
  options: [
    {
      flags: '--header <header>',
      isSecret: true,
      description: '"Name: value", for an address; several times',
      isRepeated: true,
    },
    {
      flags: '--env <variable>',
      description: 'NAME=value, for a command; several times',
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
    'Comments and everything else in the file stay, and a file that was trusted as it was is trusted after.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: serverFileOptions,
  examples: ['toolcrib servers remove files', 'toolcrib servers remove github --user --yes'],
  widens: () => true,
  load: () => import('../commands/servers/servers-remove.js'),
}

export const toolsLint: CommandRow = {
  name: 'tools lint',
  summary: 'look for traps in what MCP servers say of their tools',
  details:
    'Names that look like others, hidden characters, descriptions that speak to the model, schemas that cannot be right; tools that can do harm and show classifiers nothing, those of a server in one note. Exit code 1 when there is an error. With --json: an array of findings.',
  options: [{ flags: '--wait <seconds>', description: 'wait so long for slow servers; 10 unless said' }],
  examples: ['toolcrib tools lint', 'toolcrib tools lint --json'],
  load: () => import('../commands/tools/tools-lint.js'),
}

export const toolsDiff: CommandRow = {
  name: 'tools diff',
  summary: 'show how tools of a server changed since they were accepted',
  details:
    'Such a tool is blocked until somebody accepts it. No server is started: it is what they listed when they were last connected to, as "toolcrib servers" does. Exit code 1 when something changed.',
  arguments: [
    {
      name: '[name]',
      description: 'a tool, or a server for all of its tools; absent: all servers',
      completes: 'servers',
    },
  ],
  examples: ['toolcrib tools diff', 'toolcrib tools diff mcp.notes.write'],
  load: () => import('../commands/tools/tools-diff.js'),
}

export const toolsAccept: CommandRow = {
  name: 'tools accept',
  summary: 'accept what became of a tool of a server',
  details:
    'Shows what changed, as "toolcrib tools diff" does, and asks. Only a person at a terminal can accept it, and not from inside a tool call.',
  arguments: [
    { name: '<name>', description: 'a tool, or a server for all of its tools', completes: 'servers' },
  ],
  examples: ['toolcrib tools accept mcp.notes.write', 'toolcrib tools accept notes'],
  widens: () => true,
  load: () => import('../commands/tools/tools-accept.js'),
}
