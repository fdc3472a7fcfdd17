import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'

/** An issuer with its own keys, which it can rotate. */
export async function startIssuer() {
  const seen: string[] = []
  const state = { isDown: false, claimsToBe: '' }
  let number = 0
  let pair = await generateKeyPair('ES256')
  let jwks: unknown
  const publish = async (): Promise<void> => {
    jwks = {
      keys: [{ ...(await exportJWK(pair.publicKey)), kid: `key-${number}`, alg: 'ES256', use: 'sig' }],
    }
  }
  await publish()
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (state.isDown) return json(500, {})
    if (request.url === '/.well-known/openid-configuration') {
      return json(200, { issuer: state.claimsToBe || url, jwks_uri: `${url}/keys` })
    }
    return request.url === '/keys' ? json(200, jwks) : json(404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    seen,
    state,
    publicJwk: () => exportJWK(pair.publicKey),
    async rotate(): Promise<void> {
      number += 1
      pair = await generateKeyPair('ES256')
      await publish()
    },
    sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: `key-${number}`, ...header })
        .sign(pair.privateKey)
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
