import { oneLine } from '../../../platform/text/printable.js'
import { parseMode } from '../../../policy/permission-mode.js'
import { surfaceRequestOf } from '../../../host/load-settings.js'
import { mcpKind, type OpenedMcp } from '../../../sources/mcp/mcp-kind.js'
import { approvalsCommand } from '../approvals/approvals-command.js'
import type { GivenOptions } from '../program/command.js'
import type { ServedHouse } from './open-house.js'

/** What happens to calls that no rule speaks about, as this config has it. */
export function defaultsOf(
  { settings, sources }: Pick<ServedHouse, 'settings' | 'sources'>,
  options: GivenOptions,
): string[] {
  const { mode } = surfaceRequestOf(settings)
  const isForOthers = (settings.config.approvals?.reviewers ?? []).length > 0
  const where = isForOthers ? 'wait for the reviewers' : 'come up in the client where it can ask'
  return [
    `${believed(sources.of(mcpKind)?.servers ?? {})} ${restIn(mode)}`,
    `Questions ${where}; "${approvalsCommand(settings, options)}" lists and answers them.`,
  ]
}

function believed(servers: OpenedMcp['servers']): string {
  const entries = Object.entries(servers)
  const doubted = entries.filter(([, { trusted }]) => trusted !== true).map(([name]) => oneLine(name))
  if (entries.length === 0) return 'What only reads passes.'
  if (doubted.length === entries.length)
    return 'No server is believed when it says that a tool only reads (trusted: false).'
  const but = doubted.length === 0 ? '' : `, but for ${doubted.join(', ')},`
  return `Your servers${but} are believed when they say that a tool only reads: that passes.`
}

function restIn(mode: string | undefined): string {
  const known = mode === undefined ? 'default' : (parseMode(mode) ?? 'default')
  switch (known) {
    case 'default':
      return 'Everything else asks, unless a rule decides.'
    case 'acceptEdits':
      return 'Edits of files in the working folders pass; everything else asks, unless a rule decides.'
    case 'plan':
      return 'Everything else is refused: the mode of the surface is plan.'
    case 'dontAsk':
      return 'Everything else is refused unless a rule allows it: the mode of the surface is dontAsk.'
    case 'auto':
      return 'About everything else the classifiers of the config are asked, then you: the mode of the surface is auto.'
    case 'bypass':
      return 'Everything else passes too, unless a rule asks or refuses: the mode of the surface is bypass.'
  }
}
