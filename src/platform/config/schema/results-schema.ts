import { persistenceStrategies } from '../../../contract/unions.js'
import { piiClasses } from '../pii-classes.js'
import { redactionModes } from '../redaction-modes.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const days = { anyOf: [{ type: 'integer', minimum: 0 }, { const: false }] } as const

export const resultsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'How much of a result is shown, what happens to the rest, and how long it is stored.',
  properties: {
    maxInlineChars: {
      type: 'integer',
      minimum: 1,
      default: 50_000,
      description:
        'The maximum length of a result, in characters. A longer result becomes a preview with a reference to the whole. For clients of toolcrib serve 131,072 by default.',
    },
    maxInlineLines: { type: 'integer', minimum: 1, description: 'The same, in lines.' },
    maxInlineTokens: {
      type: 'integer',
      minimum: 1,
      description: 'The same, in tokens of o200k_base.',
    },
    previewChars: {
      type: 'integer',
      minimum: 1,
      default: 2000,
      description: 'The length of a preview in characters, including its notice.',
    },
    persistence: {
      enum: persistenceStrategies,
      default: 'preview_and_persist',
      description:
        'What happens to results if the tool does not say: inline keeps them whole, ref_only returns only a reference, drop_with_reason stores a preview only, never_persist stores nothing in the record, redact shows it to no reader.',
    },
    retainDays: {
      type: 'object',
      additionalProperties: false,
      description: 'For how many days bytes are stored; false stores them forever.',
      properties: {
        output: { ...days, default: 30, description: 'Outputs that were too long.' },
        block: { ...days, default: 30, description: 'Pictures, sounds and files in results.' },
        native: { ...days, default: 30, description: 'Outputs as the executor gave them.' },
        protected: { ...days, default: 7, description: 'Data that only named actors may read.' },
        artifact: { ...days, default: false, description: 'Artifacts.' },
      },
    },
    maxBytes: {
      type: 'integer',
      minimum: 0,
      description: 'The quota for the results of one tenant, in bytes. 10 GB by default.',
    },
    readTool: {
      type: 'boolean',
      description:
        'Whether agents get the tool result.read, which reads stored results. By default always through a gateway, and elsewhere once something was stored.',
    },
  },
} as const

export const retentionSchema = {
  type: 'object',
  additionalProperties: false,
  description:
    'For how long records are stored. A gateway (toolcrib serve) deletes older ones, once this file is trusted; see docs/records.md. Without it they are stored forever.',
  properties: {
    calls: {
      type: 'object',
      additionalProperties: false,
      required: ['days'],
      description: 'The records of calls that have ended: inputs, results, decisions, approvals.',
      properties: {
        days: { type: 'integer', minimum: 1, description: 'Calls that began earlier are deleted.' },
      },
    },
    envelopes: {
      type: 'object',
      additionalProperties: false,
      required: ['days'],
      description:
        'What stays of each deleted call: a record without content, which proves what was deleted.',
      properties: {
        days: {
          type: 'integer',
          minimum: 1,
          description: 'Envelopes of calls that were deleted earlier are deleted.',
        },
      },
    },
  },
} as const

const { maxInlineChars, maxInlineLines, maxInlineTokens, previewChars, persistence } =
  resultsSchema.properties

/** The settings of results on one surface. */
export const surfaceResultsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'The same as results, for this surface: the strictest limit of tool and surface applies.',
  properties: {
    maxInlineChars: withoutDefault(maxInlineChars),
    maxInlineLines,
    maxInlineTokens,
    previewChars: withoutDefault(previewChars),
    persistence: withoutDefault(persistence),
  },
} as const

export const redactionSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'What counts as secret in inputs, results and messages, and what replaces it.',
  properties: {
    way: {
      enum: redactionModes,
      default: 'mask',
      description:
        'mask replaces a secret with [redacted], hash with a keyed digest; drop removes the whole line; protect masks it and stores the whole text encrypted for the readers.',
    },
    patterns: {
      type: 'boolean',
      default: true,
      description: 'Whether texts are searched for values that look like a key, token or password.',
    },
    pii: {
      type: 'array',
      items: { enum: piiClasses },
      description: 'Which personal data is removed too. None by default.',
    },
    environment: {
      type: 'boolean',
      default: true,
      description: 'Whether environment variables with names such as …_TOKEN or …_PASSWORD count as secrets.',
    },
    readers: { ...texts, description: 'The actors that may read what protect stores.' },
  },
} as const

export const blobsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Where large results and artifacts are stored. A folder beside the store by default.',
  properties: {
    kind: { enum: ['files', 's3', 'memory'], default: 'files', description: 'The kind of storage.' },
    path: { ...text, description: 'files: the folder, relative to this config file.' },
    bucket: { ...text, description: 's3: the bucket.' },
    endpoint: { ...text, description: 's3: the address, for any server but AWS.' },
    region: { ...text, description: 's3: the region.' },
    prefix: { ...text, description: 's3: the prefix of all keys.' },
    accessKeyIdVariable: {
      ...text,
      default: 'AWS_ACCESS_KEY_ID',
      description: 's3: the environment variable that contains the key id.',
    },
    secretAccessKeyVariable: {
      ...text,
      default: 'AWS_SECRET_ACCESS_KEY',
      description: 's3: the environment variable that contains the key.',
    },
    sessionTokenVariable: {
      ...text,
      default: 'AWS_SESSION_TOKEN',
      description: 's3: the environment variable that contains the session token, if there is one.',
    },
  },
} as const

/** Without a value on the surface, the value of the crib applies. */
function withoutDefault<Schema extends { default: unknown }>(schema: Schema): Omit<Schema, 'default'> {
  const { default: _, ...rest } = schema
  return rest
}
