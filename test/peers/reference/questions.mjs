import { inputRequired, inputResponse } from '@modelcontextprotocol/server'

/** What the client can do, whichever way it said so. */
export function capabilitiesOf(context, server) {
  return (
    context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ??
    server.getClientCapabilities?.() ??
    {}
  )
}

export const formOf = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

export const askForm = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema })

export const askModel = (text, maxTokens) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens })

export const askRoots = () => inputRequired.listRoots()

/** The answer to one question, or nothing where it is missing or of the wrong kind. */
export function answerTo(context, key, kind) {
  const view = inputResponse(context.mcpReq.inputResponses, key)
  if (view.kind !== kind) return undefined
  return context.mcpReq.inputResponses[key]
}

export const acceptedFor = (context, key) => {
  const answer = answerTo(context, key, 'elicit')
  return answer?.action === 'accept' ? answer.content : undefined
}
