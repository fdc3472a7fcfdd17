import { isJsonObject, type JsonObject } from '../../sources/mcp/protocol/json-rpc.js'
import type { ClientLink } from '../../catalog/client-link.js'
import type { InputAnswer, InputRequest } from '../../catalog/execute-context.js'

/** A form holds an object: what is none is one of its fields. */
const FIELD = 'answer'
const PLAIN = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether the client behind a call can show forms to a person. */
export function canAskByForm(client: ClientLink | undefined): client is ClientLink {
  return client !== undefined && isJsonObject(client.capabilities['elicitation'])
}

/** Asks the person behind the client. What no form can hold is not asked: `cancel`, as where there is nobody. */
export async function askByForm(
  { message, schema }: InputRequest,
  { client, signal }: { client: ClientLink; signal: AbortSignal },
): Promise<InputAnswer> {
  const requestedSchema = formOf(schema)
  if (!requestedSchema) return { action: 'cancel' }
  const params = { mode: 'form', message: String(message), requestedSchema }
  const answers = await client.ask({ input: { method: 'elicitation/create', params } }, signal)
  const { action, content } = answers['input']!
  if (action === 'decline') return { action }
  if (action !== 'accept' || !isJsonObject(content)) return { action: 'cancel' }
  return { action, content: schema?.['type'] === 'object' ? content : content[FIELD] }
}

function formOf(schema: JsonObject = { type: 'string' }): JsonObject | undefined {
  if (schema['type'] !== 'object')
    return isPlain(schema)
      ? { type: 'object', properties: { [FIELD]: schema }, required: [FIELD] }
      : undefined
  const { properties } = schema
  return isJsonObject(properties) && Object.values(properties).every(isPlain) ? schema : undefined
}

function isPlain(schema: unknown): boolean {
  return isJsonObject(schema) && PLAIN.has(String(schema['type']))
}
