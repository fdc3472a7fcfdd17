import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import type { CompiledParameter, HttpOperation } from '../../../http/http-operation.js'
import { buildRequest, type BuiltRequest } from '../../../http/request/build-request.js'
import { invalidRequest } from '../../../http/request/invalid-request.js'
import type { ToolOn } from '../transport.js'

type Values = Readonly<Record<string, unknown>>

/** Makes the request of a call. */
export interface RestOperation {
  /** Throws with a sentence where the input cannot be sent as it is. */
  request(input: Values): BuiltRequest
  /** Path and query of the request. */
  pathOf(input: Values): string
}

/** The methods whose input is in the query. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/**
 * `{field}` in the path is filled from the input. What is left goes to the query for GET, HEAD and DELETE, and to the
 * JSON body otherwise.
 */
export function restOperation({ transport, input: schema }: ToolOn<'rest-api'>): RestOperation {
  const { method, path } = transport.endpoint
  const baseUrl = new URL(transport.base_url)
  const names = [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!))]
  const inPath = names.map((name) => parameter(name, 'path'))
  const known = new Map(
    propertiesOf(schema)
      .filter((name) => !names.includes(name))
      .map((name) => [name, parameter(name, 'query')]),
  )
  const written = new Set(queryNames(path))
  const fixed: HttpOperation = { method, path, parameters: inPath, body: undefined }

  const rest = (input: Values): [string, unknown][] =>
    Object.entries(input).filter(([name, value]) => value !== undefined && !names.includes(name))

  /** Without its body, which goes to no other address and may be long. */
  function withoutBody(input: Values): BuiltRequest {
    if (!WITHOUT_BODY.has(method)) return buildRequest(fixed, { input, baseUrl })
    const given = rest(input).map(([name, value]) => {
      if (!known.has(name) && written.has(bareName(name)))
        throw invalidRequest(`"${name}" has a fixed value for this tool: leave it out.`)
      // As JSON: the members of two objects could have the same names.
      return isObject(value)
        ? { ...parameter(name, 'query'), mediaType: 'application/json' }
        : (known.get(name) ?? parameter(name, 'query'))
    })
    return buildRequest({ ...fixed, parameters: [...inPath, ...given] }, { input, baseUrl })
  }

  return {
    pathOf: (input) => withoutBody(input).url,
    request(input) {
      const request = withoutBody(input)
      if (WITHOUT_BODY.has(method)) return request
      const body = JSON.stringify(Object.fromEntries(rest(input)))
      return { ...request, body, contentType: 'application/json' }
    },
  }
}

function parameter(name: string, position: 'path' | 'query'): CompiledParameter {
  return {
    field: name,
    name,
    in: position,
    isRequired: position === 'path',
    style: position === 'path' ? 'simple' : 'form',
    // A list repeats its name: `tag=a&tag=b`.
    explode: position === 'query',
    allowReserved: false,
    allowEmptyValue: false,
    mediaType: undefined,
  }
}

/** The names that the endpoint itself has in its query. Many services take the last of two values. */
function queryNames(path: string): string[] {
  const mark = path.indexOf('?')
  return mark < 0 ? [] : [...new URLSearchParams(path.slice(mark + 1)).keys()].map(bareName)
}

/** Some services ignore the case of a name, and read `scope[]` as `scope`. */
const bareName = (name: string): string => name.replace(/\[.*$/s, '').trim().toLowerCase()

function propertiesOf({ properties }: JsonSchema): string[] {
  return isObject(properties) ? Object.keys(properties) : []
}
