import type { Crib } from '../../runtime/crib.js'
import type { LoadedTools } from '../../runtime/load-tools.js'
import { approverFor } from './approver-for.js'
import type { GivenOptions } from './command.js'
import { loadCribForCalls } from './load-crib-for-calls.js'
import { responderFor } from './responder-for.js'
import type { Terminal } from './terminal.js'
import { personName } from './user-name.js'

/** The crib for one call, and whether somebody is asked about it here. */
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
    // Whoever leaves a call waiting can come back to it, whatever the config says of others.
    ...(isDetached && { reviewers: [...(config.approvals?.reviewers ?? []), personName()] }),
  }
  const crib = await loadCribForCalls(settings, options, terminal, asked, tool)
  return { crib, isAsked: approver !== undefined }
}
