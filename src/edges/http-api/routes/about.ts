import { openapiDocument } from '../openapi-document.js'
import type { AnyRoute, PublicRoute } from '../route.js'

/** The description of the API, which anyone may read. */
export function aboutRoutes(described: () => readonly AnyRoute[]): PublicRoute[] {
  return [
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      tag: 'About',
      summary: 'Read the OpenAPI document of this API',
      roles: 'public',
      success: [{ status: 200, description: 'The document.', schema: { type: 'object' } }],
      handle: ({ api }) => ({ status: 200, body: openapiDocument(described(), { version: api.version }) }),
    },
  ]
}
