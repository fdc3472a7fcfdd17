import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configHome } from '../../../platform/config/config-home.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand, repeatInHints, shellWord } from '../../../platform/text/own-command.js'
import { changeEntries } from '../../../host/sources/change-entries.js'
import { configEntries } from '../../../host/sources/config-entries.js'
import type { EntriesEdit } from '../../../host/sources/edit-entries-text.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isRuleText } from '../../../policy/files/rule-files.js'
import { findOwnConfig, isOwnConfig } from '../../../platform/trust/own-config.js'
import { sourceKeys } from '../../../sources/kinds.js'
import { askYesOrNo } from '../terminal/ask-yes-or-no.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** The config file whose entries a command changes. */
export interface EntriesFile {
  path: string
  config: CribSettings['config']
  /** Whether the changed file is trusted after a person's yes: it is new, or was trusted as it is. */
  givesTrust: boolean
}

/** The nearest config, or that of the user; a config that is a program ends the command. */
export async function entriesFile(options: GivenOptions): Promise<EntriesFile> {
  const isOwn = options['user'] === true
  if (isOwn && options.config !== undefined) throw usageProblem('Give either --config or --user, not both.')
  const own = join(configHome(), 'toolcrib.yaml')
  const named = isOwn ? (findOwnConfig() ?? own) : options.config
  // In a project, another config is nearer.
  if (isOwn) repeatInHints({ config: named, store: options.store })
  const isMissing = named !== undefined && !existsSync(named)
  const settings = isMissing ? undefined : await loadSettingsOrStop({ ...options, config: named })
  const path = settings?.configPath ?? named ?? join(process.cwd(), 'toolcrib.yaml')
  if (!isRuleText(path))
    throw usageProblem(`${shortPath(path)} is a program; change its entries there, under ${sourceKeys()}.`)
  return {
    path,
    config: settings?.config ?? {},
    givesTrust: !existsSync(path) || settings?.trust.isTrusted === true,
  }
}

/** Ends the command where an entry of any kind has the name: commands know entries by their names. */
export function refuseTakenName({ path, config }: EntriesFile, name: string): void {
  const taken = configEntries({ config }).find(({ entry }) => entry === name)
  if (!taken) return
  throw usageProblem(
    `${shortPath(path)} has the ${taken.kind.noun} "${name}" already; choose another name, or take it away first: ${ownCommand(`servers remove ${shellWord(name)}`)}`,
  )
}

/** Asks, and changes the file. False if the person declines. */
export async function changeEntriesFile(
  { path, givesTrust }: EntriesFile,
  { change, question, isYes }: { change: EntriesEdit; question: string; isYes: boolean },
  terminal: Terminal,
): Promise<boolean> {
  if (!givesTrust)
    terminal.explain(
      `${shortPath(path)} is not trusted as it is, so nothing of it is started before: ${ownCommand('trust')}`,
    )
  if (!isYes) {
    if (!terminal.isInteractive)
      throw usageProblem(
        'Only a person at a terminal can change the config; nothing was changed. A script of your own says --yes.',
      )
    if (!(await askYesOrNo(question, terminal))) {
      terminal.say('Nothing was changed.')
      return false
    }
  }
  try {
    await changeEntries(path, change, { isPerson: true })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
  return true
}

/** Whether a file needs no further trust after a change. */
export function isReady({ path, givesTrust }: EntriesFile): boolean {
  return givesTrust || isOwnConfig(path)
}
