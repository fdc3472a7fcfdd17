import { userName } from '../../../../platform/processes/user-name.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { fileTokenStorage } from '../../../../credentials/oauth/file-token-storage.js'
import { addressOf } from '../../../../sources/mcp/oauth/login-flow.js'
import { revoke } from '../../../../sources/mcp/oauth/revoke.js'
import type { ExitCode, Given } from '../../program/command.js'
import { findEntryLogins, logOutOfEntry } from '../../servers/entry-logins.js'
import { serverWithLogin } from '../../servers/server-with-login.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const entry = await findEntryLogins(name, options)
  if (entry) return logOutOfEntry(entry, options, terminal)
  const server = await serverWithLogin(name, options)
  const user = typeof options['user'] === 'string' ? options['user'] : userName()
  const storage = fileTokenStorage()
  const place = { user, url: addressOf(server.url) }
  const grant = await storage.load(place)
  const wasThere = await storage.exclusively(place, () => storage.remove(place))
  // The tokens are deleted here, even if the server cannot be reached.
  const isRevoked = grant !== undefined && (await revoke(name, grant, server.oauth ?? {}))
  if (options.json) {
    terminal.printJson({ server: name, user, was_logged_in: wasThere, is_revoked: isRevoked }, 2)
    return 0
  }
  if (!wasThere) terminal.explain(`There was no login to "${oneLine(name)}".`)
  else terminal.print(`Logged out of "${oneLine(name)}"${isRevoked ? ', and its tokens are revoked' : ''}.`)
  return 0
}
