import { surfaceSchema } from './surface-schema.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const

const token = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'sha256'],
  properties: {
    name: { ...text, description: 'The name of the token.' },
    sha256: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{64}$',
      description: 'The SHA-256 of the token, in hex.',
    },
    actor: {
      ...text,
      description: 'The actor of its calls in the records; the name of the token by default.',
    },
    surface: { ...text, description: 'The surface of serve.surfaces, or the agent, that it is bound to.' },
    tenant: { ...text, description: 'The tenant of its calls.' },
    rateLimitPerMinute: {
      type: 'integer',
      minimum: 1,
      description: 'How many requests it may send per minute.',
    },
  },
} as const

const auth = {
  type: 'object',
  additionalProperties: false,
  description: 'Who may call. If nothing is set here, toolcrib serve creates a token.',
  properties: {
    tokens: { type: 'array', items: token, description: 'Bearer tokens, by their hashes.' },
    oauth: {
      type: 'object',
      additionalProperties: false,
      required: ['issuer', 'audience'],
      description: 'Access tokens of an authorization server (OAuth 2.1), which the endpoint verifies.',
      properties: {
        issuer: { ...text, description: 'The https address of the authorization server.' },
        audience: { ...text, description: 'The address of this endpoint; a token must be issued for it.' },
        jwksUri: { ...text, description: 'The address of its keys; discovered from the issuer by default.' },
        scopes: { ...texts, description: 'Scopes that every token needs.' },
        actorClaim: { ...text, default: 'sub', description: 'The claim that names the actor.' },
        actorPrefix: {
          ...text,
          description:
            'A prefix of that name in the records, so that no actor equals one of serve.auth.tokens; oauth:<host of the issuer>: by default.',
        },
        tenantClaim: {
          ...text,
          description: 'The claim that names the tenant of the calls; a token without it is refused.',
        },
        surfaceClaim: {
          ...text,
          description:
            'The claim that names the surface of serve.surfaces for a token; a token without it is refused.',
        },
        rateLimitPerMinute: {
          type: 'integer',
          minimum: 1,
          description: 'How many requests one caller may send per minute.',
        },
      },
    },
    anonymous: {
      type: 'boolean',
      default: false,
      description: 'Whether calls without a token are accepted; only on a loopback address.',
    },
  },
} as const

/** The gateway endpoint of `toolcrib serve`. */
export const serveSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'The MCP endpoint that toolcrib serve opens; see docs/mcp.md.',
  properties: {
    host: { ...text, default: '127.0.0.1', description: 'The address that the endpoint listens on.' },
    port: { type: 'integer', minimum: 0, default: 4747, description: 'The port; 0 chooses a free one.' },
    names: {
      enum: ['server', 'bare'],
      default: 'server',
      description:
        'The names of tools of servers: server adds the name of the server as a prefix; bare uses the name that the server gives, if only one server uses that name.',
    },
    auth,
    allowedHosts: {
      ...texts,
      description: 'Host headers that are accepted besides loopback names.',
    },
    allowedOrigins: {
      ...texts,
      description:
        'Origins of web pages that may call the endpoint, besides loopback origins; none by default.',
    },
    maxBodyBytes: {
      type: 'integer',
      minimum: 1024,
      default: 4_194_304,
      description: 'The maximum size of a request, in bytes.',
    },
    listWaitMs: {
      type: 'integer',
      minimum: 0,
      default: 20_000,
      description:
        'How long after the start lists wait, in milliseconds, for servers that are still connecting and whose tools are not known from an earlier run.',
    },
    surfaces: {
      type: 'object',
      additionalProperties: surfaceSchema,
      description: 'More surfaces by name, at /mcp/<name> or for a token; each has the keys of surface.',
    },
    budgetTokens: {
      type: 'integer',
      minimum: 0,
      default: 20_000,
      description:
        'If the definitions of all tools take more tokens than this, the tools that do not fit are found by search instead of listed; 0 lists all tools.',
    },
  },
} as const
