import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AuthorizationServerOptions {
  hasRegistration?: boolean
  takesClientDocuments?: boolean
  /** Its issuer in the metadata; its own address by default. */
  issuer?: string
  /** The `iss` parameter of the redirect; none by default. `own`: the right one. */
  iss?: string
  advertisesIss?: boolean
  scopesSupported?: string[]
  authMethods?: string[]
  expiresInSeconds?: number
  /** Registered in advance. */
  client?: { id: string; secret: string }
  /** The granted scope, whatever was requested. */
  grants?: (scope: string | undefined) => string | undefined
  /** Replaces the response of the token endpoint. */
  answerToken?: (response: ServerResponse) => boolean
  challengeMethods?: string[] | undefined
  /** Whether it issues refresh tokens. */
  canRenew?: boolean
  /** What the device flow answers, one for each question after the first; then it grants. */
  deviceAnswers?: string[]
  /** More members of the answer with the code of a device. */
  device?: Record<string, unknown>
}

interface Code {
  clientId: string
  challenge: string
  redirectUri: string
  scope: string | undefined
  resource: string | undefined
}

const DEVICE_CODE = 'device-code-of-the-test'

/** A small authorization server that is as strict as required: PKCE, one-time codes, one-time refresh tokens. */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}) {
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, { scope: string | undefined; clientId: string }>()
  const accessTokens = new Map<string, { scope: string; resource: string | undefined }>()
  const clients = new Map<string, { secret?: string; redirectUris: string[] | undefined }>()
  if (options.client)
    clients.set(options.client.id, { secret: options.client.secret, redirectUris: undefined })
  const seen = {
    registrations: [] as Record<string, unknown>[],
    authorizations: [] as URLSearchParams[],
    tokens: [] as URLSearchParams[],
    tokenAuthorization: [] as (string | undefined)[],
    revocations: [] as URLSearchParams[],
    devices: [] as URLSearchParams[],
    metadata: 0,
  }
  let base = ''

  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', base)
    const json = (status: number, value: unknown, headers = {}): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value))
    }
    void (async () => {
      const body = await textOf(request)
      switch (`${request.method} ${address.pathname}`) {
        case 'GET /.well-known/oauth-authorization-server':
          seen.metadata += 1
          return json(200, metadata())
        case 'POST /register':
          return register(JSON.parse(body) as Record<string, unknown>, json)
        case 'GET /authorize':
          return authorize(address.searchParams, response)
        case 'POST /token':
          if (options.answerToken?.(response)) return
          return token(new URLSearchParams(body), request.headers.authorization, json)
        case 'POST /device':
          seen.devices.push(new URLSearchParams(body))
          return json(200, {
            device_code: DEVICE_CODE,
            user_code: 'WDJB-MJHT',
            verification_uri: `${base}/activate`,
            expires_in: 1800,
            interval: 1,
            ...options.device,
          })
        case 'POST /revoke':
          seen.revocations.push(new URLSearchParams(body))
          refreshTokens.delete(new URLSearchParams(body).get('token') ?? '')
          return json(200, {})
        default:
          return json(404, {})
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function metadata(): Record<string, unknown> {
    return {
      issuer: options.issuer ?? base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      ...(options.hasRegistration !== false && { registration_endpoint: `${base}/register` }),
      revocation_endpoint: `${base}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: 'challengeMethods' in options ? options.challengeMethods : ['S256'],
      token_endpoint_auth_methods_supported: options.authMethods ?? ['none'],
      ...(options.takesClientDocuments && { client_id_metadata_document_supported: true }),
      ...(options.advertisesIss && { authorization_response_iss_parameter_supported: true }),
      ...(options.scopesSupported && { scopes_supported: options.scopesSupported }),
    }
  }

  type Json = (status: number, value: unknown) => void

  function register(wish: Record<string, unknown>, json: Json): void {
    seen.registrations.push(wish)
    const id = randomUUID()
    const hasSecret = wish['token_endpoint_auth_method'] !== 'none'
    const secret = hasSecret ? `secret-${randomUUID()}` : undefined
    clients.set(id, { ...(secret && { secret }), redirectUris: wish['redirect_uris'] as string[] })
    json(201, { ...wish, client_id: id, ...(secret && { client_secret: secret }) })
  }

  function authorize(params: URLSearchParams, response: ServerResponse): void {
    seen.authorizations.push(params)
    const clientId = params.get('client_id')!
    const redirectUri = params.get('redirect_uri')!
    const client = clients.get(clientId)
    const isDocument = options.takesClientDocuments && clientId.startsWith('https://')
    const isKnown = isDocument || (client && (client.redirectUris?.includes(redirectUri) ?? true))
    if (!isKnown || params.get('code_challenge_method') !== 'S256') {
      response.writeHead(400).end('no')
      return
    }
    const code = `code-${randomUUID()}`
    codes.set(code, {
      clientId,
      challenge: params.get('code_challenge')!,
      redirectUri,
      scope: params.get('scope') ?? undefined,
      resource: params.get('resource') ?? undefined,
    })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    if (params.has('state')) back.searchParams.set('state', params.get('state')!)
    if (options.iss !== undefined) back.searchParams.set('iss', options.iss === 'own' ? base : options.iss)
    response.writeHead(302, { location: back.href }).end()
  }

  function token(params: URLSearchParams, authorization: string | undefined, json: Json): void {
    seen.tokens.push(params)
    seen.tokenAuthorization.push(authorization)
    const known = clientOf(params, authorization)
    if (!known) return json(401, { error: 'invalid_client' })
    if (params.get('grant_type') === 'client_credentials') {
      return give(known, params.get('scope') ?? undefined, params.get('resource') ?? undefined, json)
    }
    if (params.get('grant_type') === 'urn:ietf:params:oauth:grant-type:device_code') {
      const error = options.deviceAnswers?.shift()
      if (params.get('device_code') !== DEVICE_CODE) return json(400, { error: 'invalid_grant' })
      return error === undefined ? give(known, 'read', undefined, json) : json(400, { error })
    }
    if (params.get('grant_type') === 'refresh_token') {
      const presented = params.get('refresh_token')!
      const grant = refreshTokens.get(presented)
      // One-time: a second use is a theft.
      refreshTokens.delete(presented)
      if (grant?.clientId !== known)
        return json(400, { error: 'invalid_grant', error_description: presented })
      return give(known, grant.scope, params.get('resource') ?? undefined, json)
    }
    const code = codes.get(params.get('code') ?? '')
    codes.delete(params.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      code?.clientId === known &&
      code.challenge === verifier &&
      code.redirectUri === params.get('redirect_uri')
    if (!isGood) return json(400, { error: 'invalid_grant' })
    give(known, code.scope, params.get('resource') ?? undefined, json)
  }

  function clientOf(params: URLSearchParams, authorization: string | undefined): string | undefined {
    const [id, secret] = authorization?.startsWith('Basic ')
      ? Buffer.from(authorization.slice(6), 'base64').toString().split(':')
      : [params.get('client_id') ?? '', params.get('client_secret') ?? undefined]
    if (options.takesClientDocuments && id?.startsWith('https://')) return id
    const client = clients.get(id!)
    return client && client.secret === secret ? id : undefined
  }

  function give(clientId: string, asked: string | undefined, resource: string | undefined, json: Json): void {
    const scope = options.grants ? options.grants(asked) : asked
    const access = `access-${randomUUID()}`
    const refresh = `refresh-${randomUUID()}`
    accessTokens.set(access, { scope: scope ?? '', resource })
    if (options.canRenew !== false) refreshTokens.set(refresh, { scope, clientId })
    json(200, {
      access_token: access,
      token_type: 'Bearer',
      ...(options.canRenew !== false && { refresh_token: refresh }),
      expires_in: options.expiresInSeconds ?? 3600,
      ...(scope !== undefined && { scope }),
    })
  }

  return {
    url: base,
    seen,
    accessTokens,
    refreshTokens,
    clients,
    options,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}

/** A browser whose user always consents. */
export async function agreeingBrowser(url: URL): Promise<void> {
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error('the page sends nobody back')
  await (await fetch(location)).text()
}
