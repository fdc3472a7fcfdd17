import { oneLine } from '../../../platform/text/printable.js'
import { parseMode } from '../../../policy/permission-mode.js'
import { surfaceRequestOf } from '../../../host/load-settings.js'
import { mcpKind, type OpenedMcp } from '../../../sources/mcp/mcp-kind.js'
import { approvalsCommand } from '../../../host/serving/approvals-command.js'
import type { GivenOptions } from '../program/command.js'
import type { ServedGateway } from './served-gateway.js'

/** What happens to calls that no rule matches, with this config. */
export function defaultsOf(
  { settings, sources }: Pick<ServedGateway, 'settings' | 'sources'>,
  options: GivenOptions,
): string[] {
  const { mode } = surfaceRequestOf(settings)
  const isForOthers = (settings.config.approvals?.reviewers ?? []).length > 0
  const where = isForOthers ? 'wait for the reviewers' : 'come up in the client where it can ask'
  return [
    `${readOnlySentence(sources.of(mcpKind)?.servers ?? {})} ${otherToolsSentence(mode)}`,
    `Questions ${where}; "${approvalsCommand(settings, options)}" lists and answers them.`,
  ]
}

function readOnlySentence(servers: OpenedMcp['servers']): string {
  const entries = Object.entries(servers)
  const untrusted = entries.filter(([, { trusted }]) => trusted !== true).map(([name]) => oneLine(name))
  if (entries.length === 0) return 'Read-only tools run.'
  if (untrusted.length === entries.length)
    return 'No server is trusted to declare its tools read-only (trusted: false).'
  const but = untrusted.length === 0 ? '' : `, except ${untrusted.join(', ')},`
  return `Tools that your servers${but} declare read-only run.`
}

function otherToolsSentence(mode: string | undefined): string {
  const known = mode === undefined ? 'default' : (parseMode(mode) ?? 'default')
  switch (known) {
    case 'default':
      return 'Other tools need approval, unless a rule decides.'
    case 'acceptEdits':
      return 'Edits of files in the working folders run; other tools need approval, unless a rule decides.'
    case 'plan':
      return 'Other tools are denied: the mode of the surface is plan.'
    case 'dontAsk':
      return 'Other tools are denied unless a rule allows them: the mode of the surface is dontAsk.'
    case 'auto':
      return 'For other tools the classifiers of the config decide, then you: the mode of the surface is auto.'
    case 'bypass':
      return 'Other tools run too, unless a rule requires approval or denies them: the mode of the surface is bypass.'
  }
}
