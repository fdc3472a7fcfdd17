import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import { userInfo } from 'node:os'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { OAuthOptions } from '../oauth/login-flow.js'
import { oauthCredentials, type OAuthCredentials } from '../oauth/oauth-credentials.js'
import type { McpServerSettings } from '../server-settings.js'
import { takesLogin } from './takes-login.js'
import { fileTokenStorage } from '../oauth/file-token-storage.js'

export interface ServerCredentialsOptions {
  /** Whose logins; those of whoever runs this process, unless said. */
  readonly user?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly openBrowser?: OAuthOptions['openBrowser']
  readonly secrets?: LiveSecrets | undefined
}

/** What proves to servers who asks. */
export type CredentialsFor = (
  name: string,
  settings: McpServerSettings,
  /** Whose login, where each has their own. */
  actor?: string,
) => OAuthCredentials | undefined

export function serverCredentials({
  user = loginUser(),
  env = process.env,
  openBrowser,
  secrets,
}: ServerCredentialsOptions = {}): CredentialsFor {
  const storage = fileTokenStorage({ env })
  /** One for each: what is known of a token, and what went wrong with it, outlasts a connection. */
  const known = new Map<string, OAuthCredentials>()

  return (server, settings, actor) => {
    if (!takesLogin(settings)) return undefined
    const key = JSON.stringify([server, actor ?? null])
    let credentials = known.get(key)
    if (!credentials) known.set(key, (credentials = create(server, settings, actor)))
    return credentials
  }

  function create(server: string, { url, oauth = {} }: McpServerSettings, actor: string | undefined) {
    return oauthCredentials({
      server,
      url: url!,
      settings: oauth,
      user: actor ?? user,
      ...(actor !== undefined && { loginCommand: loginCommandFor(server, actor) }),
      storage,
      openBrowser,
      secrets,
      now: Date.now,
    })
  }
}

/** Names come from tokens, which may hold anything. */
function loginCommandFor(server: string, actor: string): string {
  return ownCommand(`login ${shellWord(server)} --user ${shellWord(actor)}`)
}

/** Whose logins are kept here when nobody else is named. */
export function loginUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown' // a container may run under a number that has no name
  }
}
