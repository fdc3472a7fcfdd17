import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../../foundation/config/config-home.js'
import { shortPath } from '../../foundation/config/describe-problem.js'
import { ownCommand, repeatInHints } from '../../foundation/text/own-command.js'
import { changeServers } from '../../runtime/change-servers.js'
import type { ServersChange } from '../../runtime/edit-servers-text.js'
import type { CribSettings } from '../../runtime/load-tools.js'
import { isRuleText } from '../../runtime/rule-files.js'
import { findOwnConfig, isOwnConfig } from '../../runtime/trust/own-config.js'
import { askPerson } from './ask-person.js'
import type { GivenOptions } from './command.js'
import { loadSettingsOrStop } from './load-or-stop.js'
import type { Terminal } from './terminal.js'
import { usageProblem } from './usage-problem.js'

/** The config file whose servers a command changes. */
export interface ServersFile {
  path: string
  servers: NonNullable<CribSettings['config']['mcpServers']>
  /** Whether the changed file is trusted after a person's yes: it is new, or was trusted as it is. */
  givesTrust: boolean
}

/** The nearest config, or the one of the user; one that is a program ends the command. */
export async function serversFile(options: GivenOptions): Promise<ServersFile> {
  const isOwn = options['user'] === true
  if (isOwn && options.config !== undefined) throw usageProblem('Give either --config or --user, not both.')
  const own = join(configHome(), 'toolcrib.yaml')
  const named = isOwn ? (findOwnConfig() ?? own) : options.config
  // In a project another config is nearer.
  if (isOwn) repeatInHints({ config: named, store: options.store })
  const isMissing = named !== undefined && !existsSync(named)
  const settings = isMissing ? undefined : await loadSettingsOrStop({ ...options, config: named })
  const path = settings?.configPath ?? named ?? join(process.cwd(), 'toolcrib.yaml')
  if (!isRuleText(path))
    throw usageProblem(`${shortPath(path)} is a program; change its servers there, under "mcpServers".`)
  return {
    path,
    servers: settings?.config.mcpServers ?? {},
    givesTrust: !existsSync(path) || settings?.trust.isTrusted === true,
  }
}

/** Asks, and changes the file. False where the person did not want it. */
export async function changeServersFile(
  { path, givesTrust }: ServersFile,
  { change, question, isYes }: { change: ServersChange; question: string; isYes: boolean },
  terminal: Terminal,
): Promise<boolean> {
  if (!givesTrust)
    terminal.explain(
      `${shortPath(path)} is not trusted as it is, so nothing of it is started before: ${ownCommand('trust')}`,
    )
  if (!isYes) {
    if (!terminal.isInteractive)
      throw usageProblem(
        'Only a person at a terminal can change the servers; nothing was changed. A script of your own says --yes.',
      )
    const answer = await askPerson(`${question} [y/N] `, { terminal })
    if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) {
      terminal.say('Nothing was changed.')
      return false
    }
  }
  try {
    await changeServers(path, change, { isPerson: true })
  } catch (error) {
    throw usageProblem(error instanceof Error ? error.message : String(error))
  }
  return true
}

/** Whether a file needs no word of trust after it was changed. */
export function isReady({ path, givesTrust }: ServersFile): boolean {
  return givesTrust || isOwnConfig(path)
}
