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
import {
  builtinLines,
  FIRST_RULES_SENTENCE,
  getsRules,
  newSets,
  USUAL_SETS,
  writeSets,
} from '../builtins/builtin-sets.js'
import { findClientServers, type FoundServers } from '../clients/find-client-servers.js'
import { clientEnvironment } from '../clients/find-client.js'
import { offersOf, type Offer } from '../clients/offers.js'
import { agree, printOffers, importServers, type Target } from '../clients/import-servers.js'
import type { ExitCode, Given, GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { entriesFile } from '../servers/entries-file.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Imports the servers that other clients have; the entries of the config stay. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const { target, settings } = await loadTarget(options)
  if (!isRuleText(target))
    throw usageProblem(
      `${shortPath(target)} is a program; write the servers into it yourself, under "mcpServers".`,
    )
  const found = findClientServers(process.cwd(), clientEnvironment()).filter(
    // Servers of one folder are not started in all others; and a config is not imported into itself.
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
  if (isTaken) await importServers(target, wanted, { isPerson })
  const sets = await addSets(target, options, terminal)
  if (options.json) {
    printJson(target, { found, offers, isTaken, sets }, terminal)
    return 0
  }
  const isReady = givesTrust && (isPerson || sets.length > 0 || isOwnConfig(target))
  sayWhatNext({ target, offers, wanted, isTaken, isReady, sets }, terminal)
  return 0
}

/** Adds the sets of built-in tools that were named, or offers the usual ones to a person whose config has none. */
async function addSets(target: string, options: GivenOptions, terminal: Terminal): Promise<string[]> {
  const { user: _, ...others } = options
  const file = await entriesFile({ ...others, config: target })
  const named = options['builtins']
  const isNamed = typeof named === 'string'
  if (!isNamed && (!terminal.isInteractive || options.json === true || file.config.builtins !== undefined))
    return []
  const names = newSets(isNamed ? [named] : USUAL_SETS, file)
  if (names.length === 0) return []
  if (options.json !== true) {
    terminal.say(terminal.sayStyle.bold('Built-in tools'))
    for (const line of builtinLines(names)) terminal.say(line)
    if (getsRules(file)) terminal.explain(FIRST_RULES_SENTENCE)
  }
  return (await writeSets(file, { names, isYes: isNamed }, terminal)) ? names : []
}

/** The config of the project, or with --user that of the user; it may be missing. */
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
  // The config of the user is in force here too, but servers of a folder belong into a config of that folder.
  if (configPath === undefined || (isOwnConfig(configPath) && isNamed !== true))
    return { target: join(process.cwd(), 'toolcrib.yaml'), settings: undefined }
  return { target: configPath, settings }
}

interface Found {
  found: readonly FoundServers[]
  offers: readonly Offer[]
}

function sayFound({ found, offers }: Found, terminal: Terminal): void {
  printOffers(offers, terminal)
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
  { found, offers, isTaken, sets }: Found & { isTaken: boolean; sets: readonly string[] },
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
      builtins: sets,
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
    sets,
  }: {
    target: string
    offers: readonly Offer[]
    wanted: readonly Offer[]
    isTaken: boolean
    isReady: boolean
    sets: readonly string[]
  },
  terminal: Terminal,
): void {
  const file = shortPath(target)
  const next = isReady
    ? `Next: ${ownCommand('serve')}`
    : `Next: ${ownCommand('trust')}, then ${ownCommand('serve')}`
  if (sets.length > 0) terminal.explain(`Built-in tools in ${file} now: ${sets.join(', ')}.`)
  if (sets.length > 0 && !isTaken) return terminal.explain(next)
  if (offers.length === 0) {
    terminal.explain(
      `No client here knows MCP servers yet. Write them into ${file}, under "mcpServers", as any client does; or add built-in tools: ${ownCommand('init --builtins files,shell')}`,
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
  terminal.explain(next)
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
