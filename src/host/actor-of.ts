import { userName } from '../platform/processes/user-name.js'
import type { CribSettings } from './crib-settings.js'

/** The user of this process as a reviewer. The prefix keeps the person apart from agents that run under the same name. */
export function personName(): string {
  return `person:${userName()}`
}

/** The actor of the calls of a config: the one that it names, or the user. */
export function actorOf({ config }: Pick<CribSettings, 'config'>): string {
  return config.actor ?? userName()
}
