import { expect } from 'vitest'
import type {
  BodyContent,
  CompiledBody,
  CompiledParameter,
} from '../../../../src/sources/http/http-operation.js'
import type { CompiledOperation } from '../../../../src/sources/openapi/compiled.js'
import { buildRequest, type BuiltRequest } from '../../../../src/sources/http/request/build-request.js'

export const BASE_URL = new URL('http://api.example.com')

/** A parameter with the defaults of its position. */
export function makeParameter(
  given: Partial<CompiledParameter> & Pick<CompiledParameter, 'in'>,
): CompiledParameter {
  const name = given.name ?? 'color'
  const isNamed = given.in === 'query' || given.in === 'cookie'
  const style = given.style ?? (isNamed ? 'form' : 'simple')
  return {
    field: name,
    name,
    isRequired: given.in === 'path',
    style,
    explode: style === 'form' || style === 'cookie',
    allowReserved: false,
    allowEmptyValue: false,
    mediaType: undefined,
    ...given,
  }
}

export function makeOperation(given: Partial<CompiledOperation>): CompiledOperation {
  return {
    name: 'operation',
    operationId: undefined,
    method: 'GET',
    path: '/',
    summary: undefined,
    description: undefined,
    tags: [],
    isDeprecated: false,
    servers: [],
    security: [],
    schemes: {},
    parameters: [],
    body: undefined,
    response: { mediaTypes: [] },
    input: {},
    output: undefined,
    examples: [],
    pagination: undefined,
    hints: {},
    isAdditional: false,
    ...given,
  }
}

export function makeBody(
  contents: readonly Partial<BodyContent>[],
  more: Partial<CompiledBody> = {},
): CompiledBody {
  return {
    isRequired: true,
    field: 'body',
    typeField: undefined,
    contents: contents.map((content) => ({
      mediaType: 'application/json',
      kind: 'json',
      encoding: {},
      ...content,
    })),
    ...more,
  }
}

/** The request of an operation with one parameter that has this value. */
export function requestOf(parameter: CompiledParameter, value: unknown): BuiltRequest {
  const operation = makeOperation({
    path: parameter.in === 'path' ? `/{${parameter.name}}` : '/',
    parameters: [parameter],
  })
  return buildRequest(operation, { input: { [parameter.field]: value }, baseUrl: BASE_URL })
}

/** What one parameter adds to its position. Undefined where it adds nothing. */
export function writtenOf(parameter: CompiledParameter, value: unknown): string | undefined {
  const { url, headers, cookies } = requestOf(parameter, value)
  switch (parameter.in) {
    case 'path':
      return url.slice(1)
    case 'query':
    case 'querystring':
      return url.startsWith('/?') ? url.slice(2) : undefined
    case 'header':
      return headers[parameter.name.toLowerCase()]
    case 'cookie':
      return cookies
  }
}

/** What the body of an operation becomes. */
export function bodyOf(
  content: Partial<BodyContent>,
  value: unknown,
): Pick<BuiltRequest, 'body' | 'contentType'> {
  const operation = makeOperation({ method: 'POST', body: makeBody([content]) })
  const { body, contentType } = buildRequest(operation, { input: { body: value }, baseUrl: BASE_URL })
  return { body, contentType }
}

/** The failure of a call that sends nothing. */
export const INVALID = expect.objectContaining({
  errorClass: 'execution_failed',
  code: 'toolcrib.request_invalid',
  nothingHappened: true,
})

export function failureOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}
