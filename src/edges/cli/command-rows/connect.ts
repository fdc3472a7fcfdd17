import type { CommandRow } from '../program/command.js'

export const connect: CommandRow = {
  name: 'connect',
  summary: 'connect a client; also disconnect, init',
  details:
    'Prints the entry for the config of a client, or writes it there. Comments and everything else in the file stay, and a copy of the original file is stored beside it. The command lists servers that the client uses directly; they can be moved into the config of the gateway, by an answer on a terminal or with --move. Without a name, it lists the known clients.',
  arguments: [{ name: '[client]', description: 'for example claude-code, cursor or vscode' }],
  options: [
    { flags: '--write', description: 'write the entry into the file of the client' },
    {
      flags: '--move',
      description: 'write the entry, and move the servers of the client to the gateway without asking',
    },
    { flags: '--keep', description: 'do not move the servers of the client, without asking' },
    { flags: '--url <address>', description: 'the endpoint, if it is not the one of the config' },
    { flags: '--stdio', description: 'let the client start the program; no gateway needs to run' },
    {
      flags: '--token <token>',
      isSecret: true,
      description: 'the token of the client, instead of the stored one',
    },
  ],
  examples: [
    'toolcrib connect',
    'toolcrib connect cursor --write',
    'toolcrib connect cursor --move',
    'toolcrib connect claude-code --stdio',
  ],
  widens: () => true,
  load: () => import('../commands/servers/connect.js'),
}

export const disconnect: CommandRow = {
  name: 'disconnect',
  summary: 'undo "connect": restore the files of a client',
  details:
    'Removes the entry of the gateway and restores the servers that were moved. A file without later changes is restored byte for byte; in other files, later changes stay. The config of the gateway keeps its servers.',
  arguments: [{ name: '<client>', description: 'for example claude-code, cursor or vscode' }],
  examples: ['toolcrib disconnect cursor'],
  widens: () => true,
  load: () => import('../commands/servers/disconnect.js'),
}

export const init: CommandRow = {
  name: 'init',
  summary: 'import the MCP servers of other clients, and add built-in tools',
  details:
    'Reads .mcp.json and mcp.json of this folder and the files of every client that "toolcrib connect" lists, those of this folder and those of the user. A server that several clients have is imported once; another server with the same name gets a new name. Servers that the config already has do not change. With --user, the servers from the files of the user are written into the config in the settings folder of the user, which is used in every folder without a config. On a terminal it also offers built-in tools (files, shell, code, fetch), with rules that keep keys unread; --builtins adds them without a question.',
  options: [
    { flags: '--user', description: 'write the config of the user, for all folders' },
    { flags: '--yes', description: 'import all of them without asking' },
    { flags: '--builtins <sets>', description: 'add these sets of built-in tools; with commas' },
  ],
  examples: ['toolcrib init', 'toolcrib init --user', 'toolcrib init --yes --builtins files,shell'],
  widens: () => true,
  load: () => import('../commands/init.js'),
}
