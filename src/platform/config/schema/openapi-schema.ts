import { credentialsSchema } from './credentials-schema.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const textMap = { type: 'object', additionalProperties: { type: 'string' } } as const
const count = { type: 'integer', minimum: 1 } as const
const values = { type: 'object', additionalProperties: {} } as const

const operationSchema = {
  title: 'operation',
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { ...text, description: 'Another name for the tool.' },
    description: { ...text, description: 'Another description for models.' },
    readOnly: { type: 'boolean', description: 'Whether the operation only reads, whatever its method says.' },
    destructive: { type: 'boolean', description: 'Whether the operation destroys data.' },
    idempotent: {
      type: 'boolean',
      description: 'Whether the operation may be repeated after a failure.',
    },
    defaults: { ...values, description: 'Values of parameters that a call does not give.' },
    fixed: {
      ...values,
      description: 'Values of parameters that no call can change; models do not see them.',
    },
    timeoutMs: { ...count, description: 'The timeout of one attempt, in milliseconds.' },
  },
} as const

/** One API. */
export const apiSchema = {
  title: 'API',
  type: 'object',
  additionalProperties: false,
  required: ['document'],
  properties: {
    document: {
      ...text,
      description: 'The OpenAPI document: a file, relative to this one, or an address.',
    },
    server: {
      ...text,
      description:
        'The address of the API; that of the document by default. An address of this machine or its network is used only where it is written here.',
    },
    serverVariables: { ...textMap, description: 'Values for the variables in the address of the API.' },
    disabled: { type: 'boolean', default: false, description: 'true: the API is not used.' },
    trusted: {
      type: 'boolean',
      default: true,
      description: 'Whether GET, HEAD and QUERY count as only reading, as HTTP defines them.',
    },
    include: {
      ...texts,
      description:
        'Only these operations: names, operationIds, "tag:<tag>", "GET /pets/*" or "/pets/*"; * matches any text.',
    },
    exclude: { ...texts, description: 'Not these operations, written in the same way.' },
    operations: {
      type: 'object',
      additionalProperties: operationSchema,
      description: 'Changes of single operations, by operationId, name, or method and path ("GET /pets").',
    },
    defaults: {
      ...values,
      description: 'Values of parameters that a call does not give, for all operations that have them.',
    },
    fixed: {
      ...values,
      description:
        'Values of parameters that no call can change, for all operations that have them; models do not see them.',
    },
    headers: { ...textMap, description: 'Headers of every request; they are never shown.' },
    timeoutMs: { ...count, default: 30_000, description: 'The timeout of one attempt, in milliseconds.' },
    maxResponseBytes: {
      ...count,
      default: 104_857_600,
      description: 'The largest response that is read, in bytes.',
    },
    redirectHosts: {
      ...texts,
      description:
        'Other hosts that a redirect may lead to; credentials are not sent there. Redirects on the same host are always followed.',
    },
    pollMs: {
      type: 'integer',
      minimum: 0,
      default: 3_600_000,
      description: 'How often an address is asked for a changed document, in milliseconds; 0: never.',
    },
    credentials: credentialsSchema,
  },
} as const

export const apisSchema = {
  type: 'object',
  additionalProperties: apiSchema,
  description:
    'APIs by name, each with its OpenAPI document. ${NAME}, ${NAME:-default} and ${env:NAME} insert variables of this process. See docs/openapi.md.',
} as const
