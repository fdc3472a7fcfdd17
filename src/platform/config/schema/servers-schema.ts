const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: { type: 'string' } } as const
const textMap = { type: 'object', additionalProperties: { type: 'string' } } as const
const milliseconds = { type: 'integer', minimum: 1 } as const

const oauth = {
  type: 'object',
  additionalProperties: false,
  description: 'The OAuth client that Toolcrib uses at the authorization server of the address.',
  properties: {
    clientId: { ...text, description: 'The id of a client that is already registered there.' },
    clientSecret: { ...text, description: 'The secret of the client; ${NAME} inserts a variable.' },
    issuer: {
      ...text,
      description:
        'The authorization server that the client id belongs to; the client id is not used at another one.',
    },
    grant: {
      type: 'string',
      enum: ['authorization_code', 'client_credentials'],
      description:
        'How a token is obtained: by a person in the browser, or by the client itself. authorization_code by default.',
    },
    clientMetadataUrl: { ...text, description: 'The https address of a client id metadata document.' },
    scopes: {
      type: 'array',
      items: text,
      description: 'The requested scopes; those that the server names by default.',
    },
    perUser: {
      type: 'boolean',
      default: false,
      description:
        'Whether each actor uses a login of their own: toolcrib login <server> --user <actor>. No actor uses the login of another.',
    },
    redirectPort: {
      type: 'integer',
      minimum: 1,
      description:
        'The port of the loopback address that the browser is redirected to; a free one by default.',
    },
  },
} as const

/** One server, in the format of other clients. Keys of other clients are accepted and not used. */
export const serverSchema = {
  title: 'server',
  type: 'object',
  additionalProperties: {},
  properties: {
    command: {
      ...text,
      description: 'A program that is started and connected over its standard input and output.',
    },
    args: { ...texts, description: 'The arguments of the program.' },
    env: {
      ...textMap,
      description:
        'More environment variables for the program, besides the few that every child process gets.',
    },
    cwd: {
      ...text,
      description:
        'The working folder of the program, relative to this file; the folder of this file by default.',
    },
    url: { ...text, description: 'Instead of command: the address of a server.' },
    headers: { ...textMap, description: 'Headers for the address; they are never shown.' },
    type: {
      ...text,
      description:
        'stdio, http (also streamable-http, streamableHttp) or sse; detected from command and url by default.',
    },
    disabled: { type: 'boolean', default: false, description: 'true: the server is not used.' },
    trusted: {
      type: 'boolean',
      description:
        'Whether declarations of the server may loosen decisions, such as that a tool only reads. true by default: only servers of trusted configs are started.',
    },
    share: {
      enum: ['all', 'session'],
      description: 'Whether all sessions use one connection, or each session its own. Detected by default.',
    },
    start: {
      enum: ['eager', 'lazy'],
      default: 'eager',
      description:
        'lazy: the server starts when one of its tools is called, if its list is known from an earlier run.',
    },
    idleMs: {
      type: 'integer',
      minimum: 0,
      description:
        'How long the server may be idle before it is stopped, in milliseconds; 0: never. 10 minutes by default for a program, never for an address.',
    },
    startTimeoutMs: {
      ...milliseconds,
      default: 30_000,
      description: 'The timeout of connecting, in milliseconds.',
    },
    timeoutMs: {
      ...milliseconds,
      description: 'The timeout of one call, in milliseconds; that of the crib by default.',
    },
    maxMessageBytes: {
      ...milliseconds,
      default: 25_165_824,
      description: 'The maximum size of one message of the server, in bytes.',
    },
    maxMessageValues: {
      ...milliseconds,
      default: 100_000,
      description: 'How many values (texts, numbers, lists, objects …) one message of the server may have.',
    },
    maxTools: {
      ...milliseconds,
      default: 5_000,
      description: 'How many tools of the server are used; the rest of its list is omitted.',
    },
    inheritEnv: {
      type: 'array',
      items: text,
      description: 'Names of environment variables of this process that the program gets too.',
    },
    protocolVersion: {
      ...text,
      description: 'Only this revision of the protocol is tried, such as 2025-11-25.',
    },
    oauth,
  },
} as const

/** The block that MCP clients share, unchanged. */
export const serversSchema = {
  type: 'object',
  additionalProperties: serverSchema,
  description:
    'MCP servers by name, in the format of other clients. ${NAME}, ${NAME:-default} and ${env:NAME} insert variables of this process. See docs/mcp.md.',
} as const
