import { ownCommand, sameCommand } from '../../../platform/text/own-command.js'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../../../platform/config/config-home.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { secretsOfEnvironment } from '../../../redaction/secrets-of-environment.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isRuleText } from '../../../policy/files/rule-files.js'
import { findOwnConfig, isOwnConfig } from '../../../platform/trust/own-config.js'
import { findClientServers, type FoundServers } from '../clients/find-client-servers.js'
import { clientEnvironment } from '../clients/find-client.js'
import { offersOf, type Offer } from '../clients/offers.js'
import { agree, sayOffers, takeServers, type Target } from '../clients/take-servers.js'
import type { ExitCode, Given, GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Takes over the servers that other clients know already; what stands in the config stays. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const { target, settings } = await loadTarget(options)
  if (!isRuleText(target))
    throw usageProblem(
      `${shortPath(target)} is a program; write the servers into it yourself, under "mcpServers".`,
    )
  const found = findClientServers(process.cwd(), clientEnvironment()).filter(
    // What is of one folder is not started in all others; and a config is not taken over into itself.
    ({ file, isProject }) => file !== target && !(isProject && isOwnConfig(target)),
  )
  const offers = offersOf(found, settings?.config.mcpServers ?? {})
  const givesTrust = !existsSync(target) || settings?.trust.isTrusted === true
  const wanted = offers.filter(({ leftOut }) => leftOut === undefined)
  if (options.json !== true) sayFound({ found, offers }, terminal)
  const isTaken =
    wanted.length > 0 &&
    (await isAgreed(wanted.length, { file: target, givesTrust, isNew: true }, options, terminal))
  const isPerson = isTaken && terminal.isInteractive && options['yes'] !== true
  if (isTaken) await takeServers(target, wanted, { isPerson })
  if (options.json) {
    printJson(target, { found, offers, isTaken }, terminal)
    return 0
  }
  const isReady = givesTrust && (isPerson || isOwnConfig(target))
  sayWhatNext({ target, offers, wanted, isTaken, isReady }, terminal)
  return 0
}

/** The config of the project, or with --user that of the user; it need not be there yet. */
async function loadTarget(
  options: GivenOptions,
): Promise<{ target: string; settings: CribSettings | undefined }> {
  if (options['user'] === true) {
    if (options.config !== undefined)
      throw usageProblem('Give either --user or --config: there is one config to write into.')
    const own = findOwnConfig()
    const target = own ?? join(configHome(), 'toolcrib.yaml')
    return {
      target,
      settings: own === undefined ? undefined : await loadSettingsOrStop({ ...options, config: own }),
    }
  }
  const settings = await loadSettingsOrStop(options)
  const { configPath, isNamed } = settings
  // The config of the user counts here as well, but what is found in a folder is for a config of that folder.
  if (configPath === undefined || (isOwnConfig(configPath) && isNamed !== true))
    return { target: join(process.cwd(), 'toolcrib.yaml'), settings: undefined }
  return { target: configPath, settings }
}

interface Found {
  found: readonly FoundServers[]
  offers: readonly Offer[]
}

function sayFound({ found, offers }: Found, terminal: Terminal): void {
  sayOffers(offers, terminal)
  const problems = found.flatMap(({ file, problem }) =>
    problem === undefined ? [] : [`${shortPath(file)} ${problem}`],
  )
  for (const line of new Set(problems)) terminal.say(line)
}

async function isAgreed(
  count: number,
  target: Target,
  options: GivenOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (options['yes'] === true) return true
  if (!terminal.isInteractive || options.json === true) return false
  const them = count === 1 ? 'this server' : `these ${count} servers`
  return agree(`Take ${them} over into ${shortPath(target.file)}`, target, terminal)
}

function printJson(
  target: string,
  { found, offers, isTaken }: Found & { isTaken: boolean },
  terminal: Terminal,
): void {
  terminal.printJson(
    {
      config: target,
      found: found.map(({ file, title, isProject, servers, problem }) => ({
        file,
        title,
        isProject,
        ...(problem !== undefined && { problem }),
        servers: servers.map(({ name }) => name),
      })),
      servers: offers.map(({ name, as, from, leftOut }) => ({
        name,
        from: from.file,
        taken: isTaken && leftOut === undefined,
        ...(as !== name && { as }),
        ...(leftOut !== undefined && { left_out: leftOut }),
      })),
    },
    2,
  )
}

function sayWhatNext(
  {
    target,
    offers,
    wanted,
    isTaken,
    isReady,
  }: {
    target: string
    offers: readonly Offer[]
    wanted: readonly Offer[]
    isTaken: boolean
    isReady: boolean
  },
  terminal: Terminal,
): void {
  const file = shortPath(target)
  if (offers.length === 0) {
    terminal.explain(
      `No client here knows MCP servers yet. Write them into ${file}, under "mcpServers", as any client does; then: ${ownCommand('serve')}`,
    )
    return
  }
  if (wanted.length === 0)
    return terminal.explain(`There is nothing new to take over. Next: ${ownCommand('serve')}`)
  if (!isTaken)
    return terminal.explain(`Nothing was changed; "${sameCommand('--yes')}" takes all of them over.`)
  terminal.explain(
    `${wanted.length === 1 ? 'One server is' : `${wanted.length} servers are`} in ${file} now.`,
  )
  const secret = wanted.filter(holdsSecret).map(({ as }) => oneLine(as))
  if (secret.length > 0)
    terminal.explain(
      `The entries of ${secret.join(', ')} hold keys; keep ${file} to yourself, or write \${NAME} in their place.`,
    )
  terminal.explain(
    isReady ? `Next: ${ownCommand('serve')}` : `Next: ${ownCommand('trust')}, then ${ownCommand('serve')}`,
  )
}

function holdsSecret({ entry: { env, headers } }: Offer): boolean {
  const isPlain = (value: unknown): boolean => typeof value === 'string' && !value.includes('${')
  const variables =
    typeof env === 'object' && env !== null ? Object.entries(env).filter(([, value]) => isPlain(value)) : []
  const sent = typeof headers === 'object' && headers !== null ? Object.values(headers).filter(isPlain) : []
  return (
    sent.length > 0 || secretsOfEnvironment(Object.fromEntries(variables) as NodeJS.ProcessEnv).length > 0
  )
}
