import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { entriesIn } from '../../platform/config/source-sections.js'
import { rulesInText } from './load-rules.js'
import type { RuleFile } from './rule-files.js'
import { filesOf, trustOf } from '../../platform/trust/config-trust.js'

/**
 * Whether a project's file is trusted after the user's own change: if it was trusted before, or if nothing in it needed
 * trust, neither a loosening rule nor something that runs.
 */
export async function handsOverTrust(path: string, before: string, file?: RuleFile): Promise<boolean> {
  if (before === '') return true
  const config = await configIn(path, before)
  if (trustOf({ path, text: before, config }).isTrusted) return true
  const loaded = await rulesInText(before, file ?? { source: 'project_settings', path, isProject: true })
  const asksNothing = (loaded?.untrusted.length ?? 0) === 0
  return asksNothing && !runsSomething(config) && filesOf({ path, text: before, config }).files.size === 0
}

async function configIn(path: string, text: string): Promise<CribConfig> {
  const { parseConfigText } = await import('../../platform/config/parse-config-text.js')
  const { value } = await parseConfigText(text, path)
  return typeof value === 'object' && value !== null ? (value as CribConfig) : {}
}

/** Includes things without a file here, such as a program of the system or an endpoint. */
function runsSomething(config: CribConfig): boolean {
  return (config.tools ?? []).length > 0 || (config.hooks ?? []).length > 0 || entriesIn(config).length > 0
}
