import type { Crib } from '../../../crib/crib.js'
import { loadCrib, type LoadCribOptions } from '../../../host/load-crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import {
  openConfiguredSources,
  type OpenedSources,
  type OpenSourcesOptions,
} from '../../../host/sources/open-configured-sources.js'
import type { GivenOptions } from '../program/command.js'
import { loadLayersOrStop } from '../rules/load-layers-or-stop.js'
import { loadOutsideOrStop } from '../program/load-or-stop.js'
import { sayRuleProblems } from '../rules/say-rule-problems.js'
import { saySourceProblems } from '../servers/say-source-problems.js'
import type { Terminal } from '../terminal/terminal.js'

export interface AloudOptions extends Pick<LoadCribOptions, 'openReads' | 'followRules' | 'more'> {
  /** How its sources are opened. */
  sources: OpenSourcesOptions
  /** Looks at them before anything is said; what it throws ends it. */
  onSources?(sources: OpenedSources): void
}

/** The crib of a config with its rules, its sources and those who are asked. What is wrong with them is said. */
export async function loadCribAloud(
  {
    settings,
    options,
    terminal,
  }: {
    settings: Extract<LoadedTools, { ok: true }>
    options: GivenOptions
    terminal: Terminal
  },
  { sources: how, onSources, ...rest }: AloudOptions,
): Promise<{ crib: Crib; sources: OpenedSources }> {
  const layers = await loadLayersOrStop(settings, options)
  const outside = await loadOutsideOrStop(settings)
  sayRuleProblems(layers, terminal)
  const sources = await openConfiguredSources(settings, how)
  onSources?.(sources)
  saySourceProblems(sources.problems, terminal)
  const tools = settings.drafts
  const crib = await loadCrib({ settings, tools, store: options.store, layers, outside, sources, ...rest })
  return { crib, sources }
}
