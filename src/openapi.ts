/** APIs with an OpenAPI document, without the command line: the operations of a document as a source of tools. */
export { openapiSource, type OpenapiSourceOptions } from './sources/openapi/openapi-source.js'
export type { ApiSettings, OperationSettings } from './sources/openapi/api-settings.js'
