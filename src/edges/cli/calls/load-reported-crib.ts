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
import { loadDecidersOrStop } from '../program/load-or-stop.js'
import { printRuleProblems } from '../rules/print-rule-problems.js'
import { printSourceProblems } from '../servers/print-source-problems.js'
import type { Terminal } from '../terminal/terminal.js'

export interface ReportedCribOptions extends Pick<LoadCribOptions, 'openReads' | 'followRules' | 'more'> {
  /** How its sources are opened. */
  sources: OpenSourcesOptions
  /** Checks the sources before anything is printed; an error ends the command. */
  onSources?(sources: OpenedSources): void
}

/** Loads the crib of a config with its rules, its sources and its deciders, and prints their problems. */
export async function loadReportedCrib(
  {
    settings,
    options,
    terminal,
  }: {
    settings: Extract<LoadedTools, { ok: true }>
    options: GivenOptions
    terminal: Terminal
  },
  { sources: how, onSources, ...rest }: ReportedCribOptions,
): Promise<{ crib: Crib; sources: OpenedSources }> {
  const layers = await loadLayersOrStop(settings, options)
  const outside = await loadDecidersOrStop(settings)
  printRuleProblems(layers, terminal)
  const sources = await openConfiguredSources(settings, how)
  onSources?.(sources)
  printSourceProblems(sources.problems, terminal)
  const tools = settings.drafts
  const crib = await loadCrib({ settings, tools, store: options.store, layers, outside, sources, ...rest })
  return { crib, sources }
}
