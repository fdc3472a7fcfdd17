import type { CribSettings } from '../../../host/crib-settings.js'
import { configEntries, namespaceOf, type ConfigEntry } from '../../../host/sources/config-entries.js'
import { nounOf } from '../../../sources/noun-of.js'
import { usageProblem } from '../program/usage-problem.js'
import { unknownServer } from './unknown-server.js'

/** The entry of that name, or of that namespace where entries of several kinds have the name. */
export function findEntryOrStop(settings: Pick<CribSettings, 'config'>, name: string): ConfigEntry {
  const entries = configEntries(settings)
  const named = entries.filter(({ entry }) => entry === name)
  const [found, ...others] = named.length > 0 ? named : entries.filter((each) => namespaceOf(each) === name)
  if (!found) {
    const names = entries.map(({ entry }) => entry)
    const noun = nounOf(entries.map(({ kind }) => kind))
    throw usageProblem(unknownServer(name, { names, noun }))
  }
  if (others.length === 0) return found
  const ids = [found, ...others].map(namespaceOf)
  throw usageProblem(`"${name}" is the name of several sources; say ${ids.join(' or ')}.`)
}
