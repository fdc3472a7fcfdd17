import { userName } from '../../../../platform/processes/user-name.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { serverCredentials } from '../../../../sources/mcp/settings/server-credentials.js'
import { loadChallenge } from '../../../../sources/mcp/oauth/load-challenge.js'
import { LoginFailed, LoginNeeded } from '../../../../credentials/oauth/login-problem.js'
import type { ExitCode, Given } from '../../program/command.js'
import { findEntryLogins, logInToEntry } from '../../servers/entry-logins.js'
import { loginPage, tellLogin } from '../../servers/tell-login.js'
import { serverWithLogin } from '../../servers/server-with-login.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const entry = await findEntryLogins(name, options)
  if (entry) return logInToEntry(entry, options, terminal)
  const server = await serverWithLogin(name, options)
  const user = userOf(options['user'])
  const showPage = loginPage(options, terminal)
  const credentials = serverCredentials({ user, openBrowser: showPage })(name, server)!
  try {
    const answer = await loadChallenge(name, server.url, server.headers)
    if (answer.status !== 401) return sayNoLogin(name, answer.status, terminal)
    tellLogin({ server: name }, await credentials.logIn(answer), { options, terminal })
    return 0
  } catch (error) {
    if (!(error instanceof LoginFailed || error instanceof LoginNeeded)) throw error
    terminal.explain(oneLine(error.message), terminal.sayStyle.bad)
    return 1
  }
}

function userOf(given: unknown): string {
  if (given === undefined) return userName()
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
