import { join } from 'node:path'
import { configHome } from '../../../platform/config/config-home.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { ownCommand, sameCommand, shellWord } from '../../../platform/text/own-command.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isRuleText } from '../../../policy/files/rule-files.js'
import type { Client, ClientEnvironment } from './client.js'
import { findClientServers, isOurselves } from './find-client-servers.js'
import { offersOf, type Offer } from './offers.js'

/** The servers that a client uses without the gateway. */
export interface DirectServers {
  /** The config that they would be moved into. */
  readonly target: string
  /** Why none can be moved. */
  readonly stays?: string
  readonly offers: readonly Offer[]
}

type Where = Pick<CribSettings, 'configPath' | 'config' | 'isNamed'>

export function directServers(client: Client, settings: Where, context: ClientEnvironment): DirectServers {
  const target = settings.configPath ?? join(configHome(), 'toolcrib.yaml')
  const found = findClientServers(process.cwd(), context).filter(
    // A file that is the config of the gateway itself has nothing to move.
    (each) => each.client === client.id && each.file !== target,
  )
  const offers = offersOf(found, settings.config.mcpServers ?? {})
    .filter(({ name, entry }) => !isOurselves(name, entry))
    .map((offer) =>
      isOwnConfig(target) && offer.from.isProject
        ? {
            ...offer,
            isKnown: false,
            leftOut: `it is of this folder; "${ownCommand('init')}" makes a config for it`,
          }
        : offer,
    )
  const stays = isRuleText(target) ? undefined : `${shortPath(target)} is a program and cannot be written to`
  return { target, offers, ...(stays !== undefined && { stays }) }
}

export const isMovable = ({ leftOut, isKnown }: Offer): boolean => leftOut === undefined || isKnown

/**
 * Whether a move would take a server from all folders into the file of one project. That needs a person's yes, or the
 * name of the file.
 */
export function leavesOtherFolders(
  { from, leftOut }: Offer,
  { configPath, isNamed }: Pick<CribSettings, 'configPath' | 'isNamed'>,
): boolean {
  const isOfProject = configPath !== undefined && isNamed !== true && !isOwnConfig(configPath)
  return isOfProject && !from.isProject && leftOut === undefined
}

/** How a server of all folders can be moved into the file of this project. */
export function howToMoveHere(client: Client, target: string): string {
  const command = sameCommand(`--move --config ${shellWord(shortPath(target))}`, {
    words: ['connect', client.id],
    without: ['--write'],
  })
  return `you have it in all folders, and ${shortPath(target)} is of this one; to move it there all the same: ${command}`
}
