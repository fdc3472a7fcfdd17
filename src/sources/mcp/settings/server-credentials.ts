import { userName } from '../../../platform/processes/user-name.js'
import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { OAuthOptions } from '../oauth/login-flow.js'
import { oauthCredentials, type OAuthCredentials } from '../oauth/oauth-credentials.js'
import type { McpServerSettings } from '../server-settings.js'
import { takesLogin } from './takes-login.js'
import { fileTokenStorage } from '../../../credentials/oauth/file-token-storage.js'

export interface ServerCredentialsOptions {
  /** The user of the logins; the user of this process by default. */
  readonly user?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly openBrowser?: OAuthOptions['openBrowser']
  readonly secrets?: LiveSecrets | undefined
}

/** The credentials for requests to a server. */
export type CredentialsFor = (
  name: string,
  settings: McpServerSettings,
  /** The actor, where each has a login. */
  actor?: string,
) => OAuthCredentials | undefined

export function serverCredentials({
  user = userName(),
  env = process.env,
  openBrowser,
  secrets,
}: ServerCredentialsOptions = {}): CredentialsFor {
  const storage = fileTokenStorage({ env })
  /** One instance per server and user: what is known about a token outlives a connection. */
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

/** Names come from tokens, which may hold any character. */
function loginCommandFor(server: string, actor: string): string {
  return ownCommand(`login ${shellWord(server)} --user ${shellWord(actor)}`)
}
