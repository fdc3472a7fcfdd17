import { isObject } from '../../../platform/json/is-object.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { TASKS_EXTENSION } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Exchange } from '../gateway.js'

/** Whether a call of this modern client may be answered with a task. Clients with sessions request each task. */
export function takesTasks({ era, capabilities }: Exchange): boolean {
  const { extensions } = capabilities
  return era === 'modern' && isObject(extensions) && isObject(extensions[TASKS_EXTENSION])
}

export function checkTakesTasks(exchange: Exchange): void {
  if (exchange.era === 'legacy' || takesTasks(exchange)) return
  throw new McpError(
    mcpErrorCodes.missingClientCapability,
    `The client does not declare ${TASKS_EXTENSION}.`,
    {
      requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    },
  )
}
