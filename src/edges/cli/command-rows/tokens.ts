import type { CommandRow } from '../program/command.js'

export const tokens: CommandRow = {
  name: 'tokens',
  summary: 'list the named tokens of the server',
  details:
    'Who may call the server, by name. The tokens themselves are never shown: the store has their digests. Tokens of the config are not in the list, and neither are those in your data folder: "owner", which is yours, and "serve", which is for agents; both can be rotated. With --json: an array.',
  options: [{ flags: '--all', description: 'also those that were revoked or have expired' }],
  examples: ['toolcrib tokens', 'toolcrib tokens --all --json'],
  load: () => import('../commands/tokens/tokens.js'),
}

export const tokensCreate: CommandRow = {
  name: 'tokens create',
  summary: 'make a token for an agent, a reviewer, an operator or an auditor',
  details:
    'Prints the token once. A running server that uses the same store accepts it at once. A caller calls the tools of its surface; a reviewer answers approvals under the name of its actor; an operator changes sources, rules and tokens; an auditor only reads. Nobody approves calls of their own actor. With --json: the token and its properties.',
  arguments: [{ name: '<name>', description: 'letters, digits, dots, dashes and underscores' }],
  options: [
    {
      flags: '--role <role>',
      description: 'caller, reviewer, operator or auditor; may be given several times; caller by default',
      isRepeated: true,
    },
    { flags: '--surface <name>', description: 'bind it to a surface of serve.surfaces, or to an agent' },
    { flags: '--tenant <tenant>', description: 'the tenant of its calls; that of the config by default' },
    { flags: '--actor <actor>', description: 'the actor of its calls in the records; the name by default' },
    { flags: '--expires <when>', description: 'after a time such as 30d or 12h, or at a date' },
    { flags: '--rate-limit <number>', description: 'how many requests it may send per minute' },
  ],
  examples: [
    'toolcrib tokens create ci --surface build --expires 30d',
    'toolcrib tokens create eve --role reviewer',
    'toolcrib tokens create dashboard --role auditor --rate-limit 600',
  ],
  widens: () => true,
  load: () => import('../commands/tokens/tokens-create.js'),
}

export const tokensRotate: CommandRow = {
  name: 'tokens rotate',
  summary: 'replace a token',
  details:
    'Prints the new token once. The old one ends at once, with the sessions that it opened. "owner" is your own token, which is written to its file and never printed; "serve" is the token for agents in your data folder. Tokens of the config are changed there, and count as soon as the file is saved and trusted. With --json: the token and its properties.',
  arguments: [{ name: '<name>', description: 'its name, as listed; or owner, or serve' }],
  examples: ['toolcrib tokens rotate ci', 'toolcrib tokens rotate owner'],
  widens: () => true,
  load: () => import('../commands/tokens/tokens-rotate.js'),
}

export const tokensRevoke: CommandRow = {
  name: 'tokens revoke',
  summary: 'revoke a token',
  details: 'It ends at once in every server that uses the store, with the sessions that it opened.',
  arguments: [{ name: '<name>', description: 'its name, as listed' }],
  examples: ['toolcrib tokens revoke ci'],
  widens: () => true,
  load: () => import('../commands/tokens/tokens-revoke.js'),
}
