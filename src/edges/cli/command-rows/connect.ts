import type { CommandRow } from '../command.js'

export const connect: CommandRow = {
  name: 'connect',
  summary: 'tell a client of it; "init" takes its servers over',
  details:
    'Prints what belongs into the config of a client, or puts it there: everything else in the file stays, and the file as it was is kept beside it. Without a name: the clients that are known.',
  arguments: [{ name: '[client]', description: 'such as claude-code, cursor or vscode' }],
  options: [
    { flags: '--write', description: 'put it into the file of the client' },
    { flags: '--url <address>', description: 'the endpoint, where it is not the one of the config' },
    { flags: '--stdio', description: 'let the client start the program, with nothing running before' },
    {
      flags: '--token <token>',
      description: 'the token of the client, where it is not the one that is kept',
    },
  ],
  examples: ['toolcrib connect', 'toolcrib connect cursor --write', 'toolcrib connect claude-code --stdio'],
  widens: () => true,
  load: () => import('../commands/connect.js'),
}

export const init: CommandRow = {
  name: 'init',
  summary: 'take over the MCP servers that other clients know',
  details:
    'Looks into .mcp.json, .cursor/mcp.json and .vscode/mcp.json of this folder, and into the files of Claude Desktop, Cursor and Claude Code of yours. What it found is named; what the config has already stays as it is.',
  options: [{ flags: '--yes', description: 'take all of them over without asking' }],
  examples: ['toolcrib init', 'toolcrib init --yes'],
  widens: () => true,
  load: () => import('../commands/init.js'),
}
