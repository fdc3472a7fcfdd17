import { afterEach, beforeEach } from 'vitest'
import type { OAuthOptions } from '../../../../src/sources/mcp/oauth/login-flow.js'
import { memoryTokenStorage } from '../../../../src/credentials/oauth/memory-token-storage.js'
import { oauthCredentials } from '../../../../src/sources/mcp/oauth/oauth-credentials.js'
import {
  agreeingBrowser,
  startAuthorizationServer,
  type AuthorizationServer,
  type AuthorizationServerOptions,
} from './authorization-server.js'
import { startResourceServer, type ResourceServerOptions } from './resource-server.js'

/** Closed after the test. */
export const closing: (() => Promise<void>)[] = []
/** The clock of the credentials. */
export const clock = { nowMs: 0 }

beforeEach(() => {
  clock.nowMs = 1_700_000_000_000
})

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An authorization server, a server that requires its tokens, and credentials of a user who consents to everything. */
export async function start(
  authorityOptions: AuthorizationServerOptions = {},
  resourceOptions: Omit<ResourceServerOptions, 'authority'> = {},
) {
  const authority = await startAuthorizationServer(authorityOptions)
  const current: { authority: AuthorizationServer } = { authority }
  const resource = await startResourceServer({ ...resourceOptions, authority: () => current.authority })
  closing.push(authority.close, resource.close)
  const storage = memoryTokenStorage()
  const credentials = (more: Partial<OAuthOptions> = {}) =>
    oauthCredentials({
      server: 'files',
      url: resource.url,
      settings: {},
      user: 'ada',
      storage,
      openBrowser: agreeingBrowser,
      now: () => clock.nowMs,
      ...more,
    })
  const alone = (more: Partial<OAuthOptions> = {}) => credentials({ openBrowser: undefined, ...more })
  return { authority, current, resource, storage, credentials, alone }
}
