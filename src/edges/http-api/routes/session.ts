import { isoTime } from '../../../contract/iso-time.js'
import type { JsonSchema } from '../../../contract/json-schema.js'
import { roles } from '../../../platform/config/roles.js'
import type { SessionFacts } from '../../server/admission.js'
import type { Caller } from '../../server/caller.js'
import type { LoginChoices } from '../../server/server-options.js'
import type { LoginProof } from '../../server/sessions/logins.js'
import type { ApiParts } from '../api-parts.js'
import { badRequest, notFound, Problem } from '../problem.js'
import { EVERYONE } from '../role-groups.js'
import type { ApiRequest, PublicRoute, Route } from '../route.js'
import { input, shape, text, time } from '../shapes.js'

const tag = 'Session'

const sessionSchema = shape(
  {
    actor: text,
    person: { ...text, description: 'The name under which this person answers approvals.' },
    tenant: text,
    roles: { type: 'array', items: { enum: roles } },
    surface: text,
    csrf_token: {
      ...text,
      description: 'With a session cookie: the header x-csrf-token of requests that write.',
    },
    expires_at: time,
    version: text,
    server: shape({ started_at: time, url: text }, ['started_at', 'url']),
    login: shape({ token: { const: true } as JsonSchema, oidc: shape({ name: text }, ['name']) }, ['token']),
  },
  ['actor', 'tenant', 'roles', 'version', 'server', 'login'],
)

const TOKEN_ONLY: LoginChoices = { token: true }

function toSession(
  { api, request }: Pick<ApiRequest, 'api' | 'request'>,
  { caller, session }: { readonly caller: Caller; readonly session?: SessionFacts | undefined },
): object {
  const { actor, person, tenant, surface, expiresAt } = caller
  const ends = session?.expiresAt ?? expiresAt
  return {
    actor,
    ...(person !== undefined && { person }),
    tenant: tenant ?? api.tenant,
    roles: caller.roles,
    ...(surface !== undefined && { surface }),
    ...(session && { csrf_token: session.csrfToken }),
    ...(ends !== undefined && { expires_at: isoTime(ends) }),
    version: api.version,
    server: { started_at: isoTime(api.startedAt), url: `http://${request.headers.host}` },
    login: api.identities?.logins.choices ?? TOKEN_ONLY,
  }
}

const read: Route = {
  method: 'get',
  path: '/session',
  operationId: 'getSession',
  tag,
  summary: 'Read who you are',
  description: 'Without credentials the answer is 401, and its problem has `login`: how a person can log in.',
  roles: EVERYONE,
  success: [{ status: 200, description: 'The caller, and its session.', schema: sessionSchema }],
  handle: (request) => ({ status: 200, body: toSession(request, request.identity) }),
}

/** A token or code is no part of a URL, so that it is in no log. */
const secret = { type: 'string', minLength: 1, maxLength: 1000 } as const

const open: PublicRoute = {
  method: 'post',
  path: '/session',
  operationId: 'openSession',
  tag,
  summary: 'Log in',
  description:
    'Opens the session of a browser, by the code of the link that the server printed or by a token. The answer sets the cookie.',
  roles: 'public',
  body: input({ login_code: secret, token: secret }),
  success: [{ status: 200, description: 'The session.', schema: sessionSchema }],
  async handle(request) {
    const { api, body } = request
    const outcome = await loginsOf(api).login(request.request, proofOf(body))
    if ('status' in outcome) {
      const { status, message, headers } = outcome
      const errorClass =
        status === 401 ? 'credential_missing' : status === 429 ? 'rate_limited' : 'permission_denied'
      throw new Problem(status, errorClass, message, { headers })
    }
    return {
      status: 200,
      body: toSession(request, outcome),
      headers: { 'set-cookie': outcome.setCookie, 'cache-control': 'no-store' },
    }
  },
}

function proofOf(body: unknown): LoginProof {
  const { login_code: loginCode, token } = body as { login_code?: string; token?: string }
  if (loginCode !== undefined && token === undefined) return { loginCode }
  if (token !== undefined && loginCode === undefined) return { token }
  throw badRequest('Send either "login_code" or "token".')
}

const end: Route = {
  method: 'delete',
  path: '/session',
  operationId: 'endSession',
  tag,
  summary: 'Log out',
  roles: EVERYONE,
  success: [{ status: 204, description: 'The session has ended.' }],
  async handle({ api, request }) {
    return { status: 204, headers: { 'set-cookie': await loginsOf(api).logout(request) } }
  },
}

function loginsOf({ identities }: ApiParts) {
  if (identities) return identities.logins
  throw notFound('This server has no sessions; send a token with each request.')
}

export const sessionRoutes = [read, open, end]
