import { oneLine } from '../../../platform/text/printable.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { GatewayOptions } from '../../mcp/gateway-options.js'
import { approvalsCommand } from '../approvals/approvals-command.js'
import type { GivenOptions } from '../program/command.js'
import type { Terminal } from '../terminal/terminal.js'

/** Whoever watches the server hears of calls that wait for a person, and with which command they are answered. */
export function tellWaiting(
  settings: CribSettings,
  options: GivenOptions,
  /** Absent where the question itself is shown. */
  terminal: Terminal | undefined,
): Pick<GatewayOptions, 'approvalsCommand' | 'onWaiting'> {
  const command = approvalsCommand(settings, options)
  return {
    approvalsCommand: command,
    onWaiting: ({ approval_id: id, tool_id: tool }) =>
      terminal?.explain(
        `${oneLine(tool)} waits for approval; "${command}" lists it, and: toolcrib approvals approve ${id}${command.slice('toolcrib approvals'.length)}`,
      ),
  }
}
