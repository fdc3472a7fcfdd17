import type { ClientLink } from '../../catalog/client-link.js'
import type { InputAnswer, InputRequest } from '../../catalog/execute-context.js'
import { isObject } from '../../platform/json/is-object.js'

/** A form holds an object: what is none is one of its fields. */
const FIELD = 'answer'
const PLAIN = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether the client behind a call can show forms to a person. */
export function canAskByForm(client: ClientLink | undefined): client is ClientLink {
  return client?.abilities.form === true
}

/** Asks the person behind the client. What no form can hold is not asked: `cancel`, as where there is nobody. */
export async function askByForm(
  { message, schema }: InputRequest,
  { client, signal }: { client: ClientLink; signal: AbortSignal },
): Promise<InputAnswer> {
  const form = formOf(schema)
  if (!form) return { action: 'cancel' }
  const answers = await client.ask(
    { input: { kind: 'form', message: String(message), schema: form } },
    signal,
  )
  const answer = answers['input']
  if (answer?.kind !== 'form') return { action: 'cancel' }
  const { action, content } = answer
  if (action === 'decline') return { action }
  if (action !== 'accept' || !content) return { action: 'cancel' }
  return { action, content: schema?.['type'] === 'object' ? content : content[FIELD] }
}

function formOf(schema: Record<string, unknown> = { type: 'string' }): Record<string, unknown> | undefined {
  if (schema['type'] !== 'object')
    return isPlain(schema)
      ? { type: 'object', properties: { [FIELD]: schema }, required: [FIELD] }
      : undefined
  const { properties } = schema
  return isObject(properties) && Object.values(properties).every(isPlain) ? schema : undefined
}

function isPlain(schema: unknown): boolean {
  return isObject(schema) && PLAIN.has(String(schema['type']))
}
