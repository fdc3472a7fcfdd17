import { roles } from '../roles.js'
import { secretSchema } from './credentials-schema.js'
import { surfaceSchema } from './surface-schema.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const

const rolesOf = { type: 'array', items: { enum: roles } } as const

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
    roles: {
      ...rolesOf,
      default: ['caller'],
      description:
        'What it may do: caller calls tools, reviewer answers approvals, operator changes sources, rules and tokens, auditor only reads.',
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
    oidc: {
      type: 'object',
      additionalProperties: false,
      required: ['issuer', 'clientId', 'roles'],
      description: 'Login of people at an OpenID provider, for the console and the API.',
      properties: {
        issuer: { ...text, description: 'The https address of the provider.' },
        clientId: { ...text, description: 'The id of the client that the provider has for this server.' },
        clientSecret: {
          ...secretSchema,
          description: 'Where the secret of the client is read from; a public client has none.',
        },
        name: { ...text, description: 'The name of the provider on the login page; its host by default.' },
        scopes: {
          ...texts,
          default: ['openid', 'profile', 'email'],
          description: 'The scopes to request.',
        },
        redirectUrl: {
          ...text,
          description:
            'The address that the provider sends people back to; <address of this server>/auth/oidc/callback by default.',
        },
        rolesClaim: {
          ...text,
          default: 'groups',
          description: 'The claim whose values give roles; a path such as realm_access.roles is possible.',
        },
        roles: {
          type: 'object',
          additionalProperties: rolesOf,
          description: 'The roles that each value of that claim gives. A person without a role is refused.',
        },
        tenantClaim: {
          ...text,
          description: 'The claim that names the tenant of the person; a login without it is refused.',
        },
        actorClaim: {
          ...text,
          default: 'sub',
          description:
            'The claim that names the person in the records, as oidc:<host of the issuer>:<name>. It must be unique and must not change.',
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
    publicUrl: {
      ...text,
      description:
        'The address under which people reach this server, such as https://tools.example.com, where a proxy is in front of it. Its host counts as allowed.',
    },
    trustedProxies: {
      ...texts,
      description:
        'Addresses and ranges, such as 10.0.0.5 or 10.0.0.0/8, of the proxies in front of this server. Their X-Forwarded-For says which address a request is from; that of other clients is ignored. None by default.',
    },
    traceUrl: {
      type: 'string',
      pattern: '^https?://',
      description:
        'The page of a trace, such as https://traces.example.com/trace/{trace_id}: the console links the traces of calls to it.',
    },
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
    rateLimitPerMinute: {
      type: 'integer',
      minimum: 1,
      description:
        'How many requests each caller may send per minute, over MCP and the API together, where its token has no limit of its own. No limit by default.',
    },
    log: {
      enum: ['text', 'json'],
      default: 'text',
      description:
        'The log on standard error: text for people, or json with one line for each request and call, without their content.',
    },
    metrics: {
      enum: ['private', 'public'],
      default: 'private',
      description:
        'Who may read /metrics: private needs a token with the role operator or auditor, public needs none.',
    },
    drainMs: {
      type: 'integer',
      minimum: 0,
      default: 10_000,
      description:
        'How long running requests and calls may go on, in milliseconds, when the server is told to end.',
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
