import type { CommandRow } from '../program/command.js'
import { configFileOptions } from './config-file-options.js'

export const serve: CommandRow = {
  name: 'serve',
  summary: 'start the gateway: one MCP endpoint for all tools',
  details:
    'It listens over HTTP on this machine, with a token that is created once and printed with a config to paste; or over --stdio, for a client that starts this program. The servers and programs of a config start only after it is trusted (toolcrib trust); the hints of its servers are then trusted too. Read-only tools run. Other tools need approval: in the client if it can ask, on the terminal of this command (y once, s for the session, a always, n deny), and through "toolcrib approvals". Each client and each call has a line in the log: time, client, tool, outcome and duration. Ctrl-C or SIGTERM closes the gateway when its running calls have ended, for up to serve.drainMs; a second Ctrl-C closes it at once. With --json: one line when the gateway is ready, and one for each change of a server.',
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
      flags: '--surface <name>',
      description: 'with --stdio: serve this surface of serve.surfaces, or the surface of this agent',
    },
    {
      flags: '--project <folder>',
      description: 'use the config of this folder, not of folders above it',
    },
    {
      flags: '--names <how>',
      description: 'server: tool names include the server name; bare: only if they are ambiguous',
    },
    { flags: '--quiet', description: 'no log lines for clients and calls; approvals are still asked' },
    {
      flags: '--log <format>',
      description: 'text, or json: one line on stderr for each request and call, without their content',
    },
    { flags: '--allow-anonymous', description: 'accept every client on this machine without a token' },
  ],
  examples: [
    'toolcrib serve',
    'toolcrib serve --config .mcp.json --port 8080',
    'toolcrib serve --stdio --config ~/tools/toolcrib.yaml',
    'toolcrib serve --stdio --surface support-agent',
  ],
  load: () => import('../commands/servers/serve.js'),
}

export const servers: CommandRow = {
  name: 'servers',
  summary: 'list servers and other sources of tools',
  details:
    'Connects to each server, opens each other source, reads their states and closes them; a source that takes longer than --wait is listed as connecting. The list also has what must be set up before some of the tools can be called. Exit code 1 if a source has failed. With --json: an array.',
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for slow sources; default 10' }],
  examples: ['toolcrib servers', 'toolcrib servers --wait 30 --json'],
  load: () => import('../commands/servers/servers.js'),
}

export const serversShow: CommandRow = {
  name: 'servers show',
  summary: 'show one MCP server or other source in detail',
  details:
    'Shows its state and its tools; of an MCP server also its own description, its capabilities, and the last lines of its standard error.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for the source; default 10' }],
  examples: ['toolcrib servers show notes'],
  load: () => import('../commands/servers/servers-show.js'),
}

export const serversRemove: CommandRow = {
  name: 'servers remove',
  summary: 'remove an MCP server or other source from the config',
  details:
    'Comments and everything else in the file stay, and a file that was trusted before the change stays trusted.',
  arguments: [{ name: '<name>', description: 'its name in the config', completes: 'servers' }],
  options: configFileOptions,
  examples: ['toolcrib servers remove files', 'toolcrib servers remove github --user --yes'],
  widens: () => true,
  load: () => import('../commands/servers/servers-remove.js'),
}

export const toolsLint: CommandRow = {
  name: 'tools lint',
  summary: 'find problems in the tools of MCP servers and other sources',
  details:
    'Finds names that look like other names, hidden characters, descriptions with instructions for the model, and invalid schemas; also tools that can do harm and show nothing to classifiers, with one note for each source. Exit code 1 if there is an error. With --json: an array of findings.',
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for slow sources; default 10' }],
  examples: ['toolcrib tools lint', 'toolcrib tools lint --json'],
  load: () => import('../commands/tools/tools-lint.js'),
}

export const toolsDiff: CommandRow = {
  name: 'tools diff',
  summary: 'show the changes of tools since they were accepted',
  details:
    'A changed tool of a server or of another source is blocked until it is accepted. No source is opened: the command uses the lists that were last loaded, for example by "toolcrib servers". Exit code 1 if a tool changed.',
  arguments: [
    {
      name: '[name]',
      description: 'a tool, or a source for all of its tools; without it: all sources',
      completes: 'servers',
    },
  ],
  examples: ['toolcrib tools diff', 'toolcrib tools diff mcp.notes.write'],
  load: () => import('../commands/tools/tools-diff.js'),
}

export const toolsAccept: CommandRow = {
  name: 'tools accept',
  summary: 'accept the changes of a tool',
  details:
    'Shows the changes, as "toolcrib tools diff" does, and asks for confirmation. Only a person at a terminal can accept them, and not from inside a tool call.',
  arguments: [
    { name: '<name>', description: 'a tool, or a source for all of its tools', completes: 'servers' },
  ],
  examples: ['toolcrib tools accept mcp.notes.write', 'toolcrib tools accept notes'],
  widens: () => true,
  load: () => import('../commands/tools/tools-accept.js'),
}
