import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'
import { invalidParams } from '../invalid-params.js'

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel']

/** Parses `inputResponses`: answers by key. */
export function readResponses(given: unknown): Readonly<Record<string, JsonObject>> {
  if (!isObject(given)) throw invalidParams('"inputResponses" must be an object of answers by key.')
  for (const [key, answer] of Object.entries(given))
    if (!isObject(answer)) throw invalidParams(`The answer "${key}" in "inputResponses" must be an object.`)
  return given as Record<string, JsonObject>
}

/** Throws where an answer does not have the form that its question needs. */
export function checkResponse(key: string, { method }: McpQuestion, answer: JsonObject): void {
  const problem = problemWith(method, answer)
  if (problem) throw invalidParams(`The answer "${key}" in "inputResponses" ${problem}.`)
}

function problemWith(method: string, answer: JsonObject): string | undefined {
  switch (method) {
    case 'elicitation/create': {
      const { action, content } = answer
      if (!ACTIONS.includes(action)) return `must have an "action" of ${ACTIONS.join(', ')}`
      return content === undefined || isObject(content) ? undefined : 'must have an object as "content"'
    }
    case 'sampling/createMessage': {
      const { role, content } = answer
      return typeof role === 'string' && typeof content === 'object' && content !== null
        ? undefined
        : 'must have a "role" and a "content"'
    }
    case 'roots/list':
      return Array.isArray(answer['roots']) ? undefined : 'must have a list of "roots"'
    default:
      return undefined
  }
}
