import { homedir } from 'node:os'
import { expandSettings } from '../platform/config/expand-settings.js'
import type { SourceSection } from '../platform/config/source-sections.js'
import { isObject } from '../platform/json/is-object.js'
import { secretsOfVariable } from '../redaction/secrets-of-environment.js'
import type { SourceConfig, SourceProblem } from './kind.js'
import { notStarted } from './not-started.js'

export interface ReadEntries<Settings> {
  /** By name. */
  readonly entries: ReadonlyMap<string, Settings>
  readonly problems: readonly SourceProblem[]
  /** Longest first. */
  readonly secrets: readonly string[]
  /** The base of relative paths. */
  readonly folder: string
}

export interface ReadEntriesOptions<Settings> {
  readonly section: Pick<SourceSection, 'key' | 'noun'>
  readonly env: NodeJS.ProcessEnv
  /** The base of relative paths. */
  readonly folder: string
  /** Why an entry cannot be used, as the rest of a sentence. `given` is what the config says, with its variables. */
  whyUnusable(settings: Settings, given: Settings): string | undefined
  /** Values of the settings that must not be shown anywhere. */
  secretsOf?(settings: Settings): readonly string[]
}

/** The entries of a section, with resolved settings; and the problems of the others. */
export function readEntries<Settings extends { readonly disabled?: boolean | undefined }>(
  { config, configPath, trust }: SourceConfig,
  { section, env, folder, whyUnusable, secretsOf }: ReadEntriesOptions<Settings>,
): ReadEntries<Settings> {
  const { key, noun } = section
  const entries = new Map<string, Settings>()
  const problems: SourceProblem[] = []
  const secrets = new Set<string>()
  const file = configPath ?? 'toolcrib.yaml'
  const given: unknown = Reflect.get(config, key)
  for (const [name, entry] of Object.entries(isObject(given) ? given : {})) {
    if (!trust.isTrusted) {
      problems.push(notStarted({ noun, entry: name }, { file, trust }))
      continue
    }
    if ((entry as Settings).disabled === true) continue
    const context = { env, home: homedir(), folder }
    const { settings, taken, missing } = expandSettings<Settings>(entry as Settings, context)
    const why = missing ?? whyUnusable(settings, entry as Settings)
    if (why !== undefined) {
      problems.push({
        file,
        entry: name,
        message: `the ${noun} "${name}" is left out: ${why}`,
        isLeftOut: true,
      })
      continue
    }
    for (const variable of taken)
      for (const secret of secretsOfVariable(variable.name, variable.value)) secrets.add(secret)
    for (const secret of secretsOf?.(settings) ?? []) secrets.add(secret)
    entries.set(name, settings)
  }
  return { entries, problems, secrets: [...secrets].sort((a, b) => b.length - a.length), folder }
}
