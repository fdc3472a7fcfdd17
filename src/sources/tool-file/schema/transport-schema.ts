import { amlTransports, type AmlTransport } from '../../../credentials/scheme-of-transport.js'
import { MAX_TIMER_MS } from '../../../platform/async/max-timer-ms.js'
import { databaseEngines } from '../compiled.js'
import { ADDRESS_PATTERN } from '../compile/transport/check-address.js'
import { messageFormats, queueForms, queueProviders } from '../compile/transport/compile-queue.js'
import { ENDPOINT_PATTERN } from '../compile/transport/compile-rest.js'
import { invocationTypes, payloadFormats, queryMethods } from '../compile/transport/compile-transport.js'
import { cloudProviders, functionIdForms } from '../compile/transport/function-id.js'
import { MAX_ATTEMPTS } from '../compile/transport/transport-parts.js'
import { connections, credentialsOf } from './credentials-schema.js'
import { described, text, when } from './field-shapes.js'

interface Own {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, object>>
  readonly allOf?: readonly object[]
}

const address = {
  type: 'string',
  allOf: [{ pattern: ADDRESS_PATTERN }, { pattern: '^https?://[^@/?#]+(?:[/?#]|$)' }],
}

const OWN: Readonly<Record<AmlTransport, Own>> = {
  'rest-api': {
    required: ['base_url', 'endpoint'],
    properties: {
      base_url: {
        ...address,
        not: { pattern: '/$|[?#]' },
        description: 'The address of the service, without a slash at its end.',
      },
      endpoint: {
        type: 'string',
        pattern: ENDPOINT_PATTERN,
        description: 'Method and path, such as "POST /send". {field} is filled from the input.',
      },
    },
  },
  lambda: {
    required: ['provider', 'function_id', 'invocation_type'],
    properties: {
      provider: { enum: cloudProviders, description: 'The cloud of the function.' },
      function_id: described(
        text,
        'aws: an ARN. gcp: a resource name. azure: a resource path or an address.',
      ),
      invocation_type: {
        enum: invocationTypes,
        description: 'RequestResponse waits for the answer, Event does not.',
      },
      payload_format: { enum: payloadFormats, default: 'json', description: 'How the input is sent.' },
    },
    allOf: cloudProviders.map((provider) =>
      when('provider', provider, {
        properties: { function_id: { type: 'string', pattern: functionIdForms[provider].form } },
      }),
    ),
  },
  mcp: {
    required: ['url', 'tool_name'],
    properties: {
      url: { ...address, description: 'The address of the MCP server.' },
      tool_name: described(text, 'The name of the tool on the MCP server.'),
      protocol_version: {
        type: 'string',
        pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
        description: 'The revision of MCP, such as "2025-06-18".',
      },
    },
  },
  'message-queue': {
    required: ['provider', 'queue_url'],
    properties: {
      provider: { enum: queueProviders, description: 'The kind of the queue.' },
      queue_url: described(text, 'The address of the queue, or the path of the topic.'),
      message_format: {
        enum: messageFormats,
        default: 'json',
        description: 'avro needs a schema in tools/<tool_id>.avsc.',
      },
      response_queue_url: described(text, 'The queue with the answers; without it no answer is awaited.'),
    },
    allOf: queueProviders.map((provider) => {
      const form = { type: 'string', pattern: queueForms[provider].form }
      return when('provider', provider, { properties: { queue_url: form, response_queue_url: form } })
    }),
  },
  database: {
    required: ['engine', 'query_method'],
    properties: {
      engine: { enum: databaseEngines, description: 'The database.' },
      query_method: {
        enum: queryMethods,
        description:
          'parameterised-sql: the statement is in tools/<tool_id>.sql. orm: code is registered by the tool_id.',
      },
    },
    allOf: connections,
  },
}

const status = { type: 'integer', minimum: 100, maximum: 599 }

/** `transport`. */
export const transportSchema = {
  type: 'object',
  description: 'How the tool is called. Only type function needs no transport.',
  properties: {
    type: { enum: amlTransports, description: 'The protocol.' },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIMER_MS,
      default: 5000,
      description:
        'The timeout of one attempt, in milliseconds. The default is 60000 for lambda, and for a message-queue with a response queue.',
    },
    retry_policy: {
      type: 'object',
      description: 'When a failed call is sent again.',
      properties: {
        max_attempts: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_ATTEMPTS,
          description:
            'How often a call is sent, the first time included. 3 by default; an action is then sent once.',
        },
        on_status: {
          type: 'array',
          items: status,
          description: 'The statuses after which a call is sent again; 429, 502, 503 and 504 by default.',
        },
        backoff_ms: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_TIMER_MS,
          description: 'The first wait in milliseconds; it doubles each time.',
        },
      },
    },
    credentials: { type: 'object', description: 'How calls are authenticated; see scheme.' },
  },
  required: ['type', 'credentials'],
  allOf: amlTransports.map((type) => {
    const { properties, ...rest } = OWN[type]
    return when('type', type, { ...rest, properties: { ...properties, credentials: credentialsOf(type) } })
  }),
} as const
