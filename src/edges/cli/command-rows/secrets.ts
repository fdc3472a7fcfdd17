import type { CommandRow } from '../program/command.js'

export const secrets: CommandRow = {
  name: 'secrets',
  summary: 'list the names of your own secrets',
  details:
    'Credentials of APIs that only you use. A value is never shown. With --json: an array of name, set_at and kept_in.',
  examples: ['toolcrib secrets', 'toolcrib secrets --json'],
  load: () => import('../commands/secrets/secrets.js'),
}

export const secretsList: CommandRow = {
  ...secrets,
  name: 'secrets list',
  summary: 'the same as "secrets"',
  examples: ['toolcrib secrets list'],
}

export const secretsSet: CommandRow = {
  name: 'secrets set',
  summary: 'store a secret',
  details:
    'The value is asked for at a terminal, without showing it, or read from standard input; never given as an argument. It is sealed in a file of your data folder, or stored in the keyring of the system with TOOLCRIB_SECRETS=keyring. Running programs use it at their next request.',
  arguments: [
    { name: '<name>', description: 'usually <entry>/<security scheme> of an API', completes: 'secrets' },
  ],
  examples: [
    'toolcrib secrets set petstore/ApiKeyAuth',
    'toolcrib secrets set petstore/ApiKeyAuth < key.txt',
  ],
  widens: () => true,
  load: () => import('../commands/secrets/secrets-set.js'),
}

export const secretsRemove: CommandRow = {
  name: 'secrets remove',
  summary: 'remove a secret',
  arguments: [{ name: '<name>', description: 'its name, as listed', completes: 'secrets' }],
  examples: ['toolcrib secrets remove petstore/ApiKeyAuth'],
  widens: () => true,
  load: () => import('../commands/secrets/secrets-remove.js'),
}
