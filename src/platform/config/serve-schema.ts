import { surfaceSchema } from './surface-schema.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const

const token = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'sha256'],
  properties: {
    name: { ...text, description: 'What the token is called.' },
    sha256: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{64}$',
      description: 'The SHA-256 of the token, in hex.',
    },
    actor: { ...text, description: 'Who calls with it, as written in the records; its name, unless given.' },
    surface: { ...text, description: 'The one of serve.surfaces that it sees.' },
    tenant: { ...text, description: 'Whose records its calls are.' },
    rateLimitPerMinute: {
      type: 'integer',
      minimum: 1,
      description: 'How many requests it may send in a minute.',
    },
  },
} as const

const auth = {
  type: 'object',
  additionalProperties: false,
  description: 'Who is let in. A token of its own is made where nothing stands here.',
  properties: {
    tokens: { type: 'array', items: token, description: 'Bearer tokens, by their hashes.' },
    oauth: {
      type: 'object',
      additionalProperties: false,
      required: ['issuer', 'audience'],
      description: 'Access tokens of an authorization server (OAuth 2.1), which are checked here.',
      properties: {
        issuer: { ...text, description: 'The https address of the authorization server.' },
        audience: { ...text, description: 'The address of this door, which a token must be made for.' },
        jwksUri: { ...text, description: 'Where its keys are; found out from the issuer, unless given.' },
        scopes: { ...texts, description: 'Scopes that every token needs.' },
        actorClaim: { ...text, default: 'sub', description: 'The claim that says who calls.' },
        actorPrefix: {
          ...text,
          description:
            'Stands before that name in the records, so that nobody there is taken for somebody of serve.auth.tokens; oauth:<host of the issuer>: unless given.',
        },
        tenantClaim: {
          ...text,
          description: 'The claim that says whose records the calls are; a token without it is refused.',
        },
        surfaceClaim: {
          ...text,
          description:
            'The claim that names the one of serve.surfaces that a token sees; a token without it is refused.',
        },
        rateLimitPerMinute: {
          type: 'integer',
          minimum: 1,
          description: 'How many requests one caller may send in a minute.',
        },
      },
    },
    anonymous: {
      type: 'boolean',
      default: false,
      description: 'Lets everybody in who can reach the door; only on a loopback address.',
    },
  },
} as const

/** The door that `toolcrib serve` opens. */
export const serveSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'The MCP endpoint that toolcrib serve opens; see docs/mcp.md.',
  properties: {
    host: { ...text, default: '127.0.0.1', description: 'The address it listens on.' },
    port: { type: 'integer', minimum: 0, default: 4747, description: 'The port; 0 takes a free one.' },
    names: {
      enum: ['server', 'bare'],
      default: 'server',
      description:
        'What tools of servers are called: with the name of their server before them, or as their server calls them where only one does.',
    },
    auth,
    allowedHosts: {
      ...texts,
      description: 'Host headers that are taken besides those of the address itself.',
    },
    allowedOrigins: { ...texts, description: 'Origins of web pages that may speak to it; none by default.' },
    maxBodyBytes: {
      type: 'integer',
      minimum: 1024,
      default: 4_194_304,
      description: 'The longest request that is read.',
    },
    listWaitMs: {
      type: 'integer',
      minimum: 0,
      default: 20_000,
      description:
        'How long after the start lists wait for servers that are still connecting and whose tools are not known from an earlier run.',
    },
    surfaces: {
      type: 'object',
      additionalProperties: surfaceSchema,
      description: 'Further surfaces by name, at /mcp/<name> or for a token; each as surface.',
    },
    budgetTokens: {
      type: 'integer',
      minimum: 0,
      default: 20_000,
      description:
        'Tools whose definitions take more tokens than this together are found by search instead of listed; 0 lists all of them.',
    },
  },
} as const
