import type { ClientLink } from '../../catalog/client-link.js'
import type { InputAnswer, InputRequest } from '../../catalog/execute-context.js'
import { isObject } from '../../platform/json/is-object.js'

/** A form is an object. A schema of another type becomes this field. */
const FIELD = 'answer'
const PLAIN = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether the client behind a call can show forms to a person. */
export function canAskByForm(client: ClientLink | undefined): client is ClientLink {
  return client?.abilities.form === true
}

/** Asks the person behind the client. Returns `cancel` if no form can hold the schema. */
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
  return { action, content: contentOf(schema, content) }
}

/** What was filled into the form of a schema. */
export function contentOf(
  schema: Readonly<Record<string, unknown>> | undefined,
  filled: Readonly<Record<string, unknown>>,
): unknown {
  return schema?.['type'] === 'object' ? filled : filled[FIELD]
}

/** The schema as a form of a client; undefined if no form can hold it. */
export function formOf(
  schema: Readonly<Record<string, unknown>> = { type: 'string' },
): Readonly<Record<string, unknown>> | undefined {
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
