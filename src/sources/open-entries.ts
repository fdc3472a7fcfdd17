import { sameJson } from '../platform/json/same-json.js'
import type { EntriesChange, KindEnvironment, OpenedKind } from './kind.js'
import type { ReadEntries } from './read-entries.js'
import type { Source } from './source.js'

export interface OpenEntriesOptions<Settings> {
  /** Reads the entries of a config. */
  read(environment: KindEnvironment): ReadEntries<Settings>
  /** Makes the source of one entry. */
  open(name: string, settings: Settings, options: OpenEntryOptions): Source
}

export interface OpenEntryOptions {
  /** The base of relative paths. */
  readonly folder: string
  readonly within: KindEnvironment
}

/** The sources of a kind whose entries are independent: each entry is one source. */
export function openEntries<Settings>(
  environment: KindEnvironment,
  { read, open }: OpenEntriesOptions<Settings>,
): OpenedKind {
  const { problems, secrets, ...first } = chosen(read(environment), environment)
  let opened = openEach(first, environment, new Map())

  /** An entry whose settings are the same stays open: its calls go on. */
  function openEach(
    { entries, folder }: Pick<ReadEntries<Settings>, 'entries' | 'folder'>,
    within: KindEnvironment,
    before: OpenedEntries<Settings>,
  ): OpenedEntries<Settings> {
    return new Map(
      [...entries].map(([name, settings]) => {
        const known = before.get(name)
        const isSame = known !== undefined && sameJson(known.settings, settings)
        return [name, isSame ? known : { settings, source: open(name, settings, { folder, within }) }]
      }),
    )
  }

  return {
    get sources() {
      return [...opened.values()].map(({ source }) => source)
    },
    problems,
    secrets,
    renew(_next, within) {
      const next = chosen(read(within), within)
      const before = opened
      opened = openEach(next, within, before)
      return { problems: next.problems, secrets: next.secrets, change: changeOf(before, opened) }
    },
  }
}

type OpenedEntries<Settings> = ReadonlyMap<string, { readonly settings: Settings; readonly source: Source }>

/** The entries that are asked for. */
function chosen<Settings>(
  read: ReadEntries<Settings>,
  { only }: Pick<KindEnvironment, 'only'>,
): ReadEntries<Settings> {
  const entries = new Map([...read.entries].filter(([name]) => only?.includes(name) ?? true))
  return { ...read, entries }
}

function changeOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): EntriesChange {
  const isSame = (name: string): boolean => before.get(name) === after.get(name)
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    edited: [...after.keys()].filter((name) => before.has(name) && !isSame(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  }
}
