import type { JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import { canElicitForms, hasAbility, type McpQuestion } from '../../sources/mcp/protocol/mcp-client.js'

/** Throws where the client does not declare the capability to answer this question. */
export function checkAbility({ method, params }: McpQuestion, capabilities: JsonObject): void {
  const missing = missingFor(method, params ?? {}, capabilities)
  if (!missing) return
  const names = Object.keys(missing).join(', ')
  throw new McpError(
    mcpErrorCodes.missingClientCapability,
    `The client cannot be asked ${method}: it does not declare the capability ${names}.`,
    { requiredCapabilities: missing },
  )
}

function missingFor(method: string, params: JsonObject, capabilities: JsonObject): JsonObject | undefined {
  switch (method) {
    case 'elicitation/create':
      if (params['mode'] !== 'url') return canElicitForms(capabilities) ? undefined : { elicitation: {} }
      return hasAbility(capabilities, 'elicitation', 'url') ? undefined : { elicitation: { url: {} } }
    case 'sampling/createMessage':
      if (!hasAbility(capabilities, 'sampling')) return { sampling: {} }
      if (params['tools'] === undefined || hasAbility(capabilities, 'sampling', 'tools')) return undefined
      return { sampling: { tools: {} } }
    case 'roots/list':
      return hasAbility(capabilities, 'roots') ? undefined : { roots: {} }
    default:
      throw new McpError(mcpErrorCodes.methodNotFound, `No client can be asked ${method}.`)
  }
}
