import type { Crib } from '../../../crib/crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import { hasSources } from '../../../sources/kinds.js'
import { approverFor } from '../approvals/approver-for.js'
import type { GivenOptions } from '../program/command.js'
import { ownCommandCrib, type CommandCrib } from './command-crib.js'
import { checkLoosening, loadCribForCalls, entriesFor } from './load-crib-for-calls.js'
import { responderFor } from '../approvals/responder-for.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../../../host/actor-of.js'

/** The crib for one call: of a running gateway if the tool belongs to a server, otherwise of this process. */
export async function openCommandCrib(
  settings: Extract<LoadedTools, { ok: true }>,
  options: GivenOptions,
  terminal: Terminal,
  tool: string,
): Promise<{ crib: CommandCrib; isAsked: boolean }> {
  checkLoosening(settings, options)
  const isDetached = options['detach'] === true
  const approver = isDetached ? undefined : approverFor(terminal, { yes: options['yes'] === true })
  const only = entriesFor(settings, tool)
  if (hasSources(settings) && only?.length !== 0) {
    const { openGatewayCrib } = await import('../socket/open-gateway-crib.js')
    const request = { command: 'call', only, approver, isDetached, terminal }
    const crib = await openGatewayCrib(settings, options, request)
    if (crib) return { crib, isAsked: approver !== undefined }
  }
  const { crib, isAsked } = await openCallCrib(settings, options, terminal, tool)
  return { crib: ownCommandCrib(crib, settings, options), isAsked }
}

/** The crib for one call in this process, and whether a person is asked here. */
export async function openCallCrib(
  settings: Extract<LoadedTools, { ok: true }>,
  options: GivenOptions,
  terminal: Terminal,
  tool: string,
): Promise<{ crib: Crib; isAsked: boolean }> {
  const { config } = settings
  const isDetached = options['detach'] === true
  const approver = isDetached ? undefined : approverFor(terminal, { yes: options['yes'] === true })
  const responder = responderFor(terminal)
  const asked = {
    ...(approver && { approver }),
    ...(responder && { responder }),
    // The user who leaves a call pending can answer it later, whatever reviewers the config names.
    ...(isDetached && { reviewers: [...(config.approvals?.reviewers ?? []), personName()] }),
  }
  const crib = await loadCribForCalls(settings, options, terminal, asked, tool)
  return { crib, isAsked: approver !== undefined }
}
