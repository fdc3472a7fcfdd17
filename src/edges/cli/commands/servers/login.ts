import { oneLine } from '../../../../platform/text/printable.js'
import { loginUser, serverCredentials } from '../../../../sources/mcp/settings/server-credentials.js'
import { loadChallenge } from '../../../../sources/mcp/oauth/load-challenge.js'
import { LoginFailed, LoginNeeded } from '../../../../sources/mcp/oauth/login-problem.js'
import type { Grant } from '../../../../sources/mcp/oauth/token-storage.js'
import type { ExitCode, Given } from '../../program/command.js'
import { openBrowser } from '../../servers/open-browser.js'
import { serverWithLogin } from '../../servers/server-with-login.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const server = await serverWithLogin(name, options)
  const user = userOf(options['user'])
  const wantsBrowser = options['browser'] !== false
  const credentials = serverCredentials({
    user,
    openBrowser: (url) => {
      const isOpening = wantsBrowser && openBrowser(url)
      terminal.explain(
        isOpening ? 'Log in in the browser; if none opens, go to:' : 'To log in, open this address:',
      )
      terminal.say(oneLine(url.href))
    },
  })(name, server)!
  try {
    const answer = await loadChallenge(name, server.url, server.headers)
    if (answer.status !== 401) return sayNoLogin(name, answer.status, terminal)
    tell(name, await credentials.logIn(answer), options.json === true, terminal)
    return 0
  } catch (error) {
    if (!(error instanceof LoginFailed || error instanceof LoginNeeded)) throw error
    terminal.explain(oneLine(error.message), terminal.sayStyle.bad)
    return 1
  }
}

function userOf(given: unknown): string {
  if (given === undefined) return loginUser()
  if (typeof given === 'string' && given !== '') return given
  throw usageProblem('--user needs the name of a user, as in the records.')
}

function sayNoLogin(name: string, status: number, terminal: Terminal): ExitCode {
  const isIn = status >= 200 && status < 300
  terminal.explain(
    isIn
      ? `The server "${name}" lets us in without a login.`
      : `The server "${name}" asks for no login; it answers with HTTP ${status}. Check its "url".`,
  )
  return isIn ? 0 : 1
}

/** What is known of the login, and nothing of what it is made of. */
function tell(name: string, grant: Grant, isJson: boolean, terminal: Terminal): void {
  const { user, issuer, scope, expiresAtMs } = grant
  if (!isJson) {
    const rights = scope === undefined ? '' : `, with ${oneLine(scope)}`
    terminal.print(`Logged in to "${oneLine(name)}" at ${oneLine(issuer)}${rights}.`)
    return
  }
  terminal.printJson(
    {
      server: name,
      user,
      issuer,
      ...(scope !== undefined && { scope }),
      ...(expiresAtMs !== undefined && { expires_at: new Date(expiresAtMs).toISOString() }),
      is_renewable: grant.refreshToken !== undefined,
    },
    2,
  )
}
