import type { Credential } from '../../../../src/http-client/credential.js'

/** Sends a request as a connection does: with the credentials, and again as long as they have something new to try. */
export async function ask(url: string, credentials: Credential): Promise<number> {
  for (let round = 0; round < 10; round++) {
    const sent = await credentials.proof()
    const response = await fetch(url, { method: 'POST', headers: { ...sent.headers }, body: '{}' })
    await response.text()
    if (response.status !== 401 && response.status !== 403) return response.status
    const wwwAuthenticate = response.headers.get('www-authenticate') ?? undefined
    const next = await credentials.refused!({ status: response.status, wwwAuthenticate, sent })
    if (next === 'give_up') return response.status
  }
  throw new Error('it never ended')
}
