const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: { type: 'string' } } as const
const textMap = { type: 'object', additionalProperties: { type: 'string' } } as const
const milliseconds = { type: 'integer', minimum: 1 } as const

const oauth = {
  type: 'object',
  additionalProperties: false,
  description: 'How this house shows itself to the authorization server of an address.',
  properties: {
    clientId: { ...text, description: 'The id of a client that is registered there already.' },
    clientSecret: { ...text, description: 'Its secret; ${NAME} takes a variable.' },
    issuer: {
      ...text,
      description: 'The authorization server that the client id belongs to; it is not used at another one.',
    },
    grant: {
      type: 'string',
      enum: ['authorization_code', 'client_credentials'],
      description:
        'How a token is had: by a person in the browser, or by the client itself. authorization_code by default.',
    },
    clientMetadataUrl: { ...text, description: 'The https address of a client id metadata document.' },
    scopes: {
      type: 'array',
      items: text,
      description: 'What is asked for; what the server says, unless given.',
    },
    perUser: {
      type: 'boolean',
      default: false,
      description:
        'Each actor comes in with a login of their own: toolcrib login <server> --user <actor>. Nobody gets in with the login of another.',
    },
    redirectPort: {
      type: 'integer',
      minimum: 1,
      description:
        'The port of the loopback address that the browser is sent back to; a free one by default.',
    },
  },
} as const

/** One server, as every client writes it. What other clients need besides is let stand, and not used. */
export const serverSchema = {
  title: 'server',
  type: 'object',
  additionalProperties: {},
  properties: {
    command: {
      ...text,
      description: 'A program that is started and spoken to over its standard input and output.',
    },
    args: { ...texts, description: 'Its arguments.' },
    env: { ...textMap, description: 'More variables for the program, beside the few that every child gets.' },
    cwd: {
      ...text,
      description: 'The folder it starts in, relative to this file; the folder of this file by default.',
    },
    url: { ...text, description: 'Instead of command: the address of a server.' },
    headers: { ...textMap, description: 'Headers for the address; they never show.' },
    type: {
      ...text,
      description:
        'stdio, http (also streamable-http, streamableHttp) or sse; found out from command and url, unless given.',
    },
    disabled: { type: 'boolean', default: false, description: 'It is not used at all.' },
    trusted: {
      type: 'boolean',
      description:
        'Whether what it says of its tools may loosen, such as that one only reads. Yes, unless given: a server that is not yours is not started at all.',
    },
    share: {
      enum: ['all', 'session'],
      description: 'Whether all sessions use one connection, or each its own. Found out, unless given.',
    },
    start: {
      enum: ['eager', 'lazy'],
      default: 'eager',
      description: 'lazy: not before one of its tools is called, as long as its list is known from before.',
    },
    idleMs: {
      type: 'integer',
      minimum: 0,
      description:
        'How long it may go unused before it is stopped; 0 never. A program 10 minutes by default, an address never.',
    },
    startTimeoutMs: { ...milliseconds, default: 30_000, description: 'How long connecting may take.' },
    timeoutMs: {
      ...milliseconds,
      description: 'How long one call may take; as the crib says, unless given.',
    },
    maxMessageBytes: {
      ...milliseconds,
      default: 25_165_824,
      description: 'The longest message that is taken from it.',
    },
    maxMessageValues: {
      ...milliseconds,
      default: 100_000,
      description: 'How many values (texts, numbers, lists, objects …) one message of it may have.',
    },
    maxTools: {
      ...milliseconds,
      default: 5_000,
      description: 'How many tools of it are taken; the rest of its list is left out.',
    },
    inheritEnv: {
      type: 'array',
      items: text,
      description: 'Names of variables of this process that the program gets too.',
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
    'MCP servers by name, as other clients write them. ${NAME}, ${NAME:-default} and ${env:NAME} take variables of this process. See docs/mcp.md.',
} as const
