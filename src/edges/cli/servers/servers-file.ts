import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../../../platform/config/config-home.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { ownCommand, repeatInHints } from '../../../platform/text/own-command.js'
import { changeServers } from '../../../host/servers/change-servers.js'
import type { ServersChange } from '../../../host/servers/edit-servers-text.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isRuleText } from '../../../policy/files/rule-files.js'
import { findOwnConfig, isOwnConfig } from '../../../platform/trust/own-config.js'
import { askPerson } from '../terminal/ask-person.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

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
