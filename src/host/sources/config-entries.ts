import type { SourceKind } from '../../sources/kind.js'
import { sourceKinds } from '../../sources/kinds.js'
import { nounOf } from '../../sources/noun-of.js'
import type { CribSettings } from '../crib-settings.js'

/** An entry of a config, such as a server, and its kind. */
export interface ConfigEntry {
  readonly kind: SourceKind
  /** Its name in the config. */
  readonly entry: string
}

/** Every entry of every kind. */
export function configEntries({ config }: Pick<CribSettings, 'config'>): ConfigEntry[] {
  return sourceKinds().flatMap((kind) =>
    kind.entries(Reflect.get(config, kind.key)).map(({ name }) => ({ kind, entry: name })),
  )
}

/** What the entries of a config are called together: `servers`, or `sources` where it has several kinds. */
export function entriesNoun(settings: Pick<CribSettings, 'config'>): string {
  return `${nounOf(configEntries(settings).map(({ kind }) => kind))}s`
}

/** The id of a tool with this own name. */
export function toolIdIn({ kind, entry }: ConfigEntry, name: string): string {
  return `${namespaceOf({ kind, entry })}.${kind.changes?.safeName?.(name) ?? name}`
}

/** What the ids of an entry's tools begin with. */
export function namespaceOf({ kind, entry }: ConfigEntry): string {
  return kind.namespaceOf?.(entry) ?? entry
}
