import { isJsonObject, type JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { ClientQuestion } from '../../catalog/client-link.js'

/** Whether a form can be shown to the person behind a client. One that does not say which kinds can show forms. */
export function canElicitForms(capabilities: JsonObject): boolean {
  const { elicitation } = capabilities
  if (!isJsonObject(elicitation)) return false
  return isJsonObject(elicitation['form']) || !isJsonObject(elicitation['url'])
}

/** Throws where the client has not said that it can answer such a question. */
export function checkAbility({ method, params }: ClientQuestion, capabilities: JsonObject): void {
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
      return has(capabilities, 'elicitation', 'url') ? undefined : { elicitation: { url: {} } }
    case 'sampling/createMessage':
      if (!isJsonObject(capabilities['sampling'])) return { sampling: {} }
      if (params['tools'] === undefined || has(capabilities, 'sampling', 'tools')) return undefined
      return { sampling: { tools: {} } }
    case 'roots/list':
      return isJsonObject(capabilities['roots']) ? undefined : { roots: {} }
    default:
      throw new McpError(mcpErrorCodes.methodNotFound, `No client can be asked ${method}.`)
  }
}

function has(capabilities: JsonObject, name: string, part: string): boolean {
  const found = capabilities[name]
  return isJsonObject(found) && isJsonObject(found[part])
}
