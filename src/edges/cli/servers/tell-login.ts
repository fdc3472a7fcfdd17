import type { Grant } from '../../../credentials/oauth/token-storage.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { GivenOptions } from '../program/command.js'
import type { Terminal } from '../terminal/terminal.js'
import { openBrowser } from './open-browser.js'

/** Opens the page of a login, unless `--no-browser` was given, and prints its address. */
export function loginPage(options: GivenOptions, terminal: Terminal): (url: URL) => void {
  const wantsBrowser = options['browser'] !== false
  return (url) => {
    const isOpening = wantsBrowser && openBrowser(url)
    terminal.explain(
      isOpening ? 'Log in in the browser; if none opens, go to:' : 'To log in, open this address:',
    )
    terminal.say(oneLine(url.href))
  }
}

/** Prints the facts of a login without any token. */
export function tellLogin(
  to: { readonly server: string } | { readonly entry: string; readonly scheme: string },
  { user, issuer, scope, expiresAtMs, refreshToken }: Grant,
  { options, terminal }: { options: GivenOptions; terminal: Terminal },
): void {
  if (!options.json) {
    const name = 'server' in to ? to.server : to.entry
    const rights = scope === undefined ? '' : `, with ${oneLine(scope)}`
    terminal.print(`Logged in to "${oneLine(name)}" at ${oneLine(issuer)}${rights}.`)
    return
  }
  terminal.printJson(
    {
      ...to,
      user,
      issuer,
      ...(scope !== undefined && { scope }),
      ...(expiresAtMs !== undefined && { expires_at: new Date(expiresAtMs).toISOString() }),
      is_renewable: refreshToken !== undefined,
    },
    2,
  )
}
