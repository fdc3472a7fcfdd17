import type { CommandRow } from '../program/command.js'

export const connect: CommandRow = {
  name: 'connect',
  summary: 'connect a client; also: disconnect, init',
  details:
    'Prints the entry for the config of a client, or writes it there: comments and everything else in the file stay, and a copy of the file as it was lies beside it. Servers that the client reaches directly are named; they can be moved into the config of the gateway, by an answer on a terminal or with --move. Without a name: the clients that are known.',
  arguments: [{ name: '[client]', description: 'such as claude-code, cursor or vscode' }],
  options: [
    { flags: '--write', description: 'write the entry into the file of the client' },
    {
      flags: '--move',
      description: 'write it, and move the servers of the client behind the gateway without asking',
    },
    { flags: '--keep', description: 'leave the servers of the client where they are, without asking' },
    { flags: '--url <address>', description: 'the endpoint, where it is not the one of the config' },
    { flags: '--stdio', description: 'let the client start the program, with nothing running before' },
    {
      flags: '--token <token>',
      isSecret: true,
      description: 'the token of the client, where it is not the one that is kept',
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
    'Removes the entry of the gateway and restores the servers that were moved. A file that nobody changed meanwhile is restored byte for byte; in any other, later changes stay. The config of the gateway keeps its servers.',
  arguments: [{ name: '<client>', description: 'such as claude-code, cursor or vscode' }],
  examples: ['toolcrib disconnect cursor'],
  widens: () => true,
  load: () => import('../commands/servers/disconnect.js'),
}

export const init: CommandRow = {
  name: 'init',
  summary: 'take over the MCP servers that other clients know',
  details:
    'Reads .mcp.json and mcp.json of this folder and the files of every client that "toolcrib connect" lists, those of this folder and those of the user. A server that several clients have is taken once; another server of the same name gets a name of its own. Servers that the config already has stay as they are. With --user the servers of the files of the user are taken into the config in the settings folder of the user, which is used in every folder without a config.',
  options: [
    { flags: '--user', description: 'write into the config of the user, for all folders' },
    { flags: '--yes', description: 'take all of them over without asking' },
  ],
  examples: ['toolcrib init', 'toolcrib init --user', 'toolcrib init --yes'],
  widens: () => true,
  load: () => import('../commands/init.js'),
}
