import { isoTime } from '../../../contract/iso-time.js'
import { roles, type Role } from '../../../platform/config/roles.js'
import type { NamedTokens, TokenAuthor, TokenOutcome } from '../../../host/identities/named-tokens.js'
import type { NamedToken } from '../../../host/identities/token-documents.js'
import type { ServeToken } from '../../../host/serving/admission.js'
import { badRequest, conflict, notFound, Problem } from '../problem.js'
import { readTime } from '../requests/read-time.js'
import type { ApiRequest, Route } from '../route.js'
import { input, listOf, named, paging, shape, text, time } from '../shapes.js'
import { sortedPage } from '../sorted-page.js'

const tag = 'Tokens'

const roleList = { type: 'array', items: { enum: roles } } as const

const item = {
  token_id: text,
  name: text,
  actor: text,
  roles: roleList,
  surface: text,
  tenant: text,
  rate_limit_per_minute: { type: 'integer' },
  created_at: time,
  created_by: text,
  rotated_at: time,
  expires_at: time,
  last_used_at: time,
  revoked_at: time,
  from: { enum: ['config', 'store'], description: 'Tokens of the config are changed there.' },
} as const
const itemFields = ['token_id', 'name', 'actor', 'roles', 'from']
const itemSchema = shape(item, itemFields)
const madeSchema = shape({ token: { ...text, description: 'Shown once.' }, ...item }, itemFields)

/** Tokens of other tenants are those of somebody else, except for the owner of the server. */
function isOwn({ api, identity, tenant }: ApiRequest, token: { tenant?: string | undefined }): boolean {
  return identity.caller.isOwner === true || (token.tenant ?? api.tenant) === tenant
}

function toItem({ lastUsedAt }: NamedTokens, token: NamedToken): object {
  const { tokenId, createdAt, rotatedAt, expiresAt, revokedAt } = token
  const usedAt = lastUsedAt(tokenId)
  return {
    token_id: tokenId,
    ...commonOf(token),
    created_at: isoTime(createdAt),
    created_by: token.createdBy,
    ...(rotatedAt !== undefined && { rotated_at: isoTime(rotatedAt) }),
    ...(expiresAt !== undefined && { expires_at: isoTime(expiresAt) }),
    ...(usedAt !== undefined && { last_used_at: isoTime(usedAt) }),
    ...(revokedAt !== undefined && { revoked_at: isoTime(revokedAt) }),
    from: 'store',
  }
}

function toConfigItem(token: ServeToken): object {
  return { token_id: `config:${token.name}`, ...commonOf(token), from: 'config' }
}

function commonOf({ name, actor, roles, surface, tenant, rateLimitPerMinute }: ServeToken): object {
  return {
    name,
    actor,
    roles,
    ...(surface !== undefined && { surface }),
    ...(tenant !== undefined && { tenant }),
    ...(rateLimitPerMinute !== undefined && { rate_limit_per_minute: rateLimitPerMinute }),
  }
}

const list: Route = {
  method: 'get',
  path: '/tokens',
  operationId: 'listTokens',
  tag,
  summary: 'List the tokens of the server',
  description:
    'Those of the config, then those of the store, the oldest first. Never the tokens themselves. Revoked ones stay in the list.',
  roles: ['operator', 'auditor'],
  query: paging,
  success: [{ status: 200, description: 'A page of tokens.', schema: listOf(itemSchema) }],
  handle(request) {
    const { tokens, configTokens } = identitiesOf(request)
    const { limit = 50, cursor } = request.query as { limit?: number; cursor?: string }
    const all = [...configTokens(), ...tokens.list()].filter((token) => isOwn(request, token))
    const page = sortedPage(all, { list: 'tokens', keyOf, order: ['low', 'low', 'low'], limit, cursor })
    const items = page.items.map((each) => ('createdAt' in each ? toItem(tokens, each) : toConfigItem(each)))
    return { status: 200, body: { ...page, items } }
  },
}

/** Those of the config have no time. */
function keyOf(token: ServeToken | NamedToken): readonly (string | number)[] {
  return 'createdAt' in token ? [1, token.createdAt, token.tokenId] : [0, 0, token.name ?? '']
}

interface CreateBody {
  readonly name: string
  readonly roles: readonly Role[]
  readonly actor?: string
  readonly surface?: string
  readonly tenant?: string
  readonly rate_limit_per_minute?: number
  readonly expires_at?: string
}

const create: Route = {
  method: 'post',
  path: '/tokens',
  operationId: 'createToken',
  tag,
  summary: 'Make a token',
  description: 'The answer has the token, once: the server stores a digest of it.',
  roles: ['operator'],
  body: input(
    {
      name: named('Its name, which no other valid token of the tenant has.'),
      roles: { ...roleList, minItems: 1, maxItems: 4 },
      actor: named('The actor of its calls in the records; the name by default.'),
      surface: named('The surface that it is bound to.'),
      tenant: named('The tenant of its calls; yours by default.'),
      rate_limit_per_minute: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
      expires_at: time,
    },
    ['name', 'roles'],
  ),
  success: [{ status: 201, description: 'The token.', schema: madeSchema }],
  async handle(request) {
    const { identity } = request
    const { expires_at: expiresAt, rate_limit_per_minute: rate, ...draft } = request.body as CreateBody
    const tenant = draft.tenant ?? identity.caller.tenant
    if (!isOwn(request, { tenant }))
      throw new Problem(403, 'permission_denied', 'A token of another tenant is not yours to make.')
    const { tokens } = identitiesOf(request)
    const outcome = await tokens.create(
      {
        ...draft,
        ...(tenant !== undefined && { tenant }),
        ...(rate !== undefined && { rateLimitPerMinute: rate }),
        expiresAt: readTime(expiresAt, 'body/expires_at'),
      },
      authorOf(request),
    )
    return made(tokens, { outcome, status: 201 })
  },
}

const rotate: Route = {
  method: 'post',
  path: '/tokens/{token_id}/rotate',
  operationId: 'rotateToken',
  tag,
  summary: 'Replace a token',
  description: 'The old one ends at once, and the sessions that it opened.',
  roles: ['operator'],
  success: [{ status: 200, description: 'The new token.', schema: madeSchema }],
  async handle(request) {
    const { tokens } = identitiesOf(request)
    const outcome = await tokens.rotate(find(request, tokens).tokenId, authorOf(request))
    return made(tokens, { outcome, status: 200 })
  },
}

const revoke: Route = {
  method: 'delete',
  path: '/tokens/{token_id}',
  operationId: 'revokeToken',
  tag,
  summary: 'Revoke a token',
  description:
    'It ends at once in every process that shares the store, and so do the sessions that it opened.',
  roles: ['operator'],
  success: [{ status: 204, description: 'The token is revoked.' }],
  async handle(request) {
    const { tokens } = identitiesOf(request)
    const outcome = await tokens.revoke(find(request, tokens).tokenId, authorOf(request))
    if (!outcome.ok) throw problemOf(outcome)
    return { status: 204 }
  },
}

/** The token without the secret is what a repeated request gets. */
function made(
  tokens: NamedTokens,
  { outcome, status }: { outcome: TokenOutcome<{ token: string }>; status: number },
) {
  if (!outcome.ok) throw problemOf(outcome)
  const { token, record } = outcome
  const kept = toItem(tokens, record)
  return { status, body: { token, ...kept }, keptBody: kept, headers: { 'cache-control': 'no-store' } }
}

function find(request: ApiRequest, tokens: NamedTokens): NamedToken {
  const id = request.params['token_id']!
  if (id.startsWith('config:'))
    throw conflict('This token is in the config; change "serve.auth.tokens" there.')
  const found = tokens.get(id)
  if (found && found.revokedAt === undefined && isOwn(request, found)) return found
  throw notFound('There is no such token, or it was revoked; GET /tokens lists them.')
}

function problemOf({ problem, message }: Extract<TokenOutcome, { ok: false }>): Problem {
  switch (problem) {
    case 'exists':
      return conflict(message)
    case 'unknown':
      return notFound(message)
    case 'invalid':
      return badRequest(message)
  }
}

/** The owner is a person: a token that the owner makes may answer for the calls of the owner's agents. */
function authorOf({ identity: { caller } }: ApiRequest): TokenAuthor {
  const { actor, person, above = [], isOwner } = caller
  return { by: person ?? actor, actors: isOwner === true ? [] : [actor, ...above] }
}

function identitiesOf({ api: { identities } }: ApiRequest) {
  if (identities) return identities
  throw notFound('This server has no named tokens; the program that serves it decides who may call.')
}

export const tokenRoutes = [list, create, rotate, revoke]
