import type { JsonSchema } from '../../contract/json-schema.js'
import { ownSchemas, schemas } from '../../contract/schemas.js'
import { errorClasses } from '../../contract/unions.js'
import { isPublic, type AnyRoute, type RouteSuccess } from './route.js'

export const API_PREFIX = '/api/v1'

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document of the routes. */
export function openapiDocument(routes: readonly AnyRoute[], { version }: { version: string }): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolcrib',
      version,
      description:
        'Tools, calls, approvals, records and settings of a Toolcrib server. Everything is limited to the tenant of the caller.',
    },
    servers: [{ url: API_PREFIX }],
    security: [{ token: [] }, { session: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...recordSchemas(), Problem: problemSchema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of the server.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'toolcrib_session_4747',
          description:
            'The session of a browser; the number is the port of the server. Requests that write also need the header x-csrf-token.',
        },
      },
    },
  }
}

/** The records of the standard, by the names of their schemas. `recordRef` refers to one. */
function recordSchemas(): Json {
  return Object.fromEntries(
    Object.entries<JsonSchema>({ ...schemas, ...ownSchemas }).map(
      ([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema],
    ),
  )
}

export function recordRef(name: keyof typeof schemas | keyof typeof ownSchemas): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function operationOf(route: AnyRoute): Json {
  const { operationId, tag, summary, description, method, body, success } = route
  const writes = method !== 'get'
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route),
    ...(writes ? [idempotencyKey] : []),
  ]
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(isPublic(route) ? { security: [] } : { 'x-roles': route.roles }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...Object.fromEntries(successesOf(success)), default: problemResponse },
  }
}

function successesOf(successes: readonly RouteSuccess[]): [string, Json][] {
  const byStatus = new Map<string, { description: string; content: Record<string, Json> }>()
  for (const { status, description, schema, mediaType = 'application/json' } of successes) {
    const entry = byStatus.get(String(status)) ?? { description, content: {} }
    byStatus.set(String(status), entry)
    if (schema !== undefined) entry.content[mediaType] = { schema }
  }
  return [...byStatus].map(([status, { description, content }]) => [
    status,
    Object.keys(content).length > 0 ? { description, content } : { description },
  ])
}

function pathParameters({ path }: AnyRoute): Json[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 1000 },
  }))
}

function queryParameters({ query = {}, requiredQuery = [] }: AnyRoute): Json[] {
  return Object.entries(query).map(([name, given]) => {
    const { description, ...schema } = given as Record<string, unknown>
    const isList = schema['type'] === 'array'
    return {
      name,
      in: 'query',
      ...(requiredQuery.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      ...(isList && { style: 'form', explode: false }),
      schema,
    }
  })
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same request gives the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
} as const

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'error_class'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence that says what to do.' },
    error_class: { enum: errorClasses, description: 'An error class of Agent Tool.' },
    code: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
} as const satisfies JsonSchema

const problemResponse = {
  description: 'Why the request was not answered as asked.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
} as const
