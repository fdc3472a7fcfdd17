import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { createRouteMatcher } from '../../../../src/edges/http-api/match-route.js'
import { openapiDocument } from '../../../../src/edges/http-api/openapi-document.js'
import { routes } from '../../../../src/edges/http-api/routes.js'

const document = openapiDocument(routes, { version: '0' }) as {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
ajv.addSchema(document, 'document')
const matcher = createRouteMatcher(routes)
const compiled = new Map<string, ValidateFunction>()

/** Fails where an answer is none that the OpenAPI document describes. */
export function checkContract(answer: {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly type: string
  readonly body: unknown
}): void {
  const found = matcher.find(answer.path.split('?')[0]!)
  const isHead = answer.method === 'HEAD'
  const route = found?.byMethod.get(isHead ? 'get' : answer.method.toLowerCase())
  // An unknown path or method is answered with a problem as well.
  const responses = route ? document.paths[route.path]![route.method]!.responses : undefined
  const described = responses?.[String(answer.status)]
  if (answer.status === 304 || (described && !described.content)) return
  const key = described ? String(answer.status) : 'default'
  const mediaType = answer.type.split(';')[0]!
  if (key === 'default') {
    expect(mediaType, `${answer.method} ${answer.path}: ${answer.status}`).toBe('application/problem+json')
    return isHead ? undefined : check('#/components/schemas/Problem', answer)
  }
  expect(Object.keys(described!.content!), `${answer.method} ${answer.path}`).toContain(mediaType)
  // HEAD has no body.
  if (isHead || !/json/.test(mediaType)) return
  const escape = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
  const place = ['paths', route!.path, route!.method, 'responses', key, 'content', mediaType, 'schema']
  check(`#/${place.map(escape).join('/')}`, answer)
}

function check(
  pointer: string,
  { method, path, body }: { method: string; path: string; body: unknown },
): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document${encodeURI(pointer)}` })
  compiled.set(pointer, validate)
  expect(
    validate(body) ? [] : validate.errors,
    `${method} ${path} gave ${JSON.stringify(body).slice(0, 400)}`,
  ).toEqual([])
}
