import { dirname } from 'node:path'
import type { ConfigFinding, ConfigPath } from '../../platform/config/check-config.js'
import { expandPaths } from '../../platform/config/expand-paths.js'
import { firstProblems } from '../../platform/config/first-problems.js'
import { parseConfig, type ConfigProblem } from '../../platform/config/load-config.js'
import { parseConfigText } from '../../platform/config/parse-config-text.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { TRUSTED } from '../../platform/trust/config-trust.js'
import { rulesInText } from '../../policy/files/load-rules.js'
import { sourceKinds } from '../../sources/kinds.js'
import { findSettingProblems, missingFindings } from '../load-settings.js'

export interface ConfigTextProblem {
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly message: string
  /** A warning does not keep the config from being used: a part of it has no effect. */
  readonly severity: 'error' | 'warning'
}

export interface ValidatedConfig {
  /** Absent where the text cannot be used. */
  readonly config: CribConfig | undefined
  readonly problems: readonly ConfigTextProblem[]
}

/**
 * What loading the text as this file would report, with positions. Nothing that it names is imported, run or opened, and
 * it counts as trusted: whether it is trusted is another question.
 */
export async function validateConfig(text: string, configPath: string): Promise<ValidatedConfig> {
  const parsed = await parseConfig(text, configPath)
  if (!parsed.ok) return { config: undefined, problems: parsed.problems.map(toError) }
  const { config } = parsed
  const { locate } = await parseConfigText(text, configPath)
  const at =
    (severity: ConfigTextProblem['severity']) =>
    ({ path, message }: ConfigFinding): ConfigTextProblem => ({ ...locate(path), message, severity })
  const { findings } = await findSettingProblems({ configPath, config, trust: TRUSTED })
  const { missing } = expandPaths(config.tools ?? [], dirname(configPath))
  const wrong = firstProblems([...findings, ...missingFindings(config, missing)])
  const errors = wrong.shown.map(at('error'))
  const rules = await rulesInText(text, { source: 'project_settings', path: configPath, isProject: true })
  const doubtful = firstProblems([...(rules?.problems ?? []), ...sourceFindings(config, configPath)])
  const warnings = doubtful.shown.map((each) =>
    'path' in each ? at('warning')(each) : { ...toError(each), severity: 'warning' as const },
  )
  const left = [
    ...(wrong.left === undefined ? [] : [{ message: wrong.left, severity: 'error' as const }]),
    ...(doubtful.left === undefined ? [] : [{ message: doubtful.left, severity: 'warning' as const }]),
  ]
  const sorted = [...errors, ...warnings].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return { config: errors.length === 0 ? config : undefined, problems: [...sorted, ...left] }
}

function toError({ line, column, message }: ConfigProblem): ConfigTextProblem {
  return { line, column, message, severity: 'error' }
}

/** Entries that would be left out, such as a server whose variable is not set. */
function sourceFindings(config: CribConfig, configPath: string): ConfigFinding[] {
  return sourceKinds().flatMap((kind) => {
    if (Reflect.get(config, kind.key) === undefined) return []
    const found = kind.check?.({ configPath, config, trust: TRUSTED }, process.env) ?? []
    return found.map(({ entry, message }): ConfigFinding => {
      const path: ConfigPath = [kind.key, entry]
      return { path, message }
    })
  })
}
