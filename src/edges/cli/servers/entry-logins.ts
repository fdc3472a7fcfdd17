import { login, logout, type EntryLogin } from '../../../credentials/oauth/login.js'
import { LoginFailed } from '../../../credentials/oauth/login-problem.js'
import { configEntries } from '../../../host/sources/config-entries.js'
import { describeProblem } from '../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand, shellWord } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import { createLiveSecrets } from '../../../redaction/live-secrets.js'
import type { SourceKind } from '../../../sources/kind.js'
import type { ExitCode, GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { usageProblem } from '../program/usage-problem.js'
import type { Terminal } from '../terminal/terminal.js'
import { loginPage, tellLogin } from './tell-login.js'

/** An entry of the config, such as an API, and its logins. */
export interface EntryLogins {
  readonly entry: string
  readonly noun: string
  readonly logins: readonly EntryLogin[]
}

/** Undefined where no such entry has logins of its own, as with MCP servers. */
export async function findEntryLogins(name: string, options: GivenOptions): Promise<EntryLogins | undefined> {
  const file = await loadSettingsOrStop(options)
  const { kind } = configEntries(file).find(({ entry }) => entry === name) ?? {}
  if (!kind?.logins) return undefined
  const problems = kind.check?.(file, process.env).filter((each) => each.entry === name && each.isLeftOut)
  if (problems && problems.length > 0)
    throw usageProblem(problems.map((problem) => describeProblem(problem)).join('\n'))
  return { entry: name, noun: kind.noun, logins: await loadLogins(kind, name, file) }
}

async function loadLogins(
  kind: SourceKind,
  entry: string,
  file: Awaited<ReturnType<typeof loadSettingsOrStop>>,
): Promise<readonly EntryLogin[]> {
  try {
    return await kind.logins!(entry, { file, env: process.env, live: createLiveSecrets() })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
}

export async function logInToEntry(
  found: EntryLogins,
  options: GivenOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  for (const { settings, context } of chooseLogins(found, options)) {
    const { name: scheme } = context.owner
    if (!settings)
      throw usageProblem(
        `The ${found.noun} "${found.entry}" needs an OAuth client: set "grant" and "client_id" under credentials.${scheme} in the config.`,
      )
    try {
      const grant = await login({
        settings,
        context,
        openBrowser: loginPage(options, terminal),
        show({ url, userCode }) {
          terminal.explain('To log in, open this address on any device and enter the code:')
          terminal.say(`${oneLine(url.href)}  ${oneLine(userCode)}`)
        },
      })
      tellLogin({ entry: found.entry, scheme }, grant, { options, terminal })
    } catch (error) {
      if (!(error instanceof LoginFailed)) throw error
      terminal.explain(oneLine(error.message), terminal.sayStyle.bad)
      return 1
    }
  }
  return 0
}

export async function logOutOfEntry(
  found: EntryLogins,
  options: GivenOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const chosen = chooseLogins(found, options)
  const ended = await Promise.all(chosen.map(({ context }) => logout(context)))
  const wasThere = ended.includes(true)
  const name = oneLine(found.entry)
  if (options.json) terminal.printJson({ entry: found.entry, was_logged_in: wasThere, is_revoked: false }, 2)
  else if (wasThere) terminal.print(`Logged out of "${name}".`)
  else terminal.explain(`There was no login to "${name}".`)
  return 0
}

/** The logins of one scheme: one for each origin of the API. */
function chooseLogins({ entry, noun, logins }: EntryLogins, options: GivenOptions): readonly EntryLogin[] {
  const schemes = [...new Set(logins.map(({ context }) => context.owner.name))]
  const [only, ...others] = schemes
  if (only === undefined)
    throw usageProblem(
      `The ${noun} "${entry}" has no login; its credentials are set with: ${ownCommand(`secrets set ${shellWord(entry)}/<security scheme>`)}`,
    )
  const given = options['scheme']
  if (given === undefined && others.length > 0)
    throw usageProblem(
      `The ${noun} "${entry}" has several logins; choose one with --scheme: ${schemes.join(', ')}.`,
    )
  if (given !== undefined && !schemes.includes(given as string))
    throw usageProblem(
      `The ${noun} "${entry}" has no login "${String(given)}"; it has ${schemes.join(', ')}.`,
    )
  return logins.filter(({ context }) => context.owner.name === (given ?? only))
}
