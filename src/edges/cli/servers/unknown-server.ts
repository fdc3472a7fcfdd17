import { ownCommand } from '../../../platform/text/own-command.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'

/** The message for an unknown name of a server or of another source. */
export function unknownServer(
  name: string,
  { names, noun = 'server' }: { names: readonly string[]; noun?: string },
): string {
  const near = nearestWord(name, names)
  if (near !== undefined) return `There is no ${noun} "${name}"; did you mean "${near}"?`
  return names.length === 0
    ? noSources()
    : `There is no ${noun} "${name}"; the config has ${names.join(', ')}.`
}

/** The sentence for a config without sources. */
export function noSources(): string {
  return `The config names no servers and no other sources of tools; "${ownCommand('add --help')}" shows how to add one, and "${ownCommand('init')}" takes over those of your clients.`
}
