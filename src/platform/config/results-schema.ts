import { persistenceStrategies } from '../../contract/unions.js'
import { piiClasses } from './pii-classes.js'
import { redactionWays } from './redaction-modes.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const days = { anyOf: [{ type: 'integer', minimum: 0 }, { const: false }] } as const

export const resultsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'How much of a result is shown, what becomes of the rest, and how long it is kept.',
  properties: {
    maxInlineChars: {
      type: 'integer',
      minimum: 1,
      default: 50_000,
      description:
        'Results longer than this become a preview with a reference to the whole. For clients of toolcrib serve 131,072 by default.',
    },
    maxInlineLines: { type: 'integer', minimum: 1, description: 'The same, in lines.' },
    maxInlineTokens: {
      type: 'integer',
      minimum: 1,
      description: 'The same, in tokens as o200k_base counts them.',
    },
    previewChars: {
      type: 'integer',
      minimum: 1,
      default: 2000,
      description: 'The length of a preview, with what it says of itself.',
    },
    persistence: {
      enum: persistenceStrategies,
      default: 'preview_and_persist',
      description:
        'What becomes of results whose tool does not say: inline keeps them whole, ref_only gives no more than a reference, drop_with_reason keeps a preview only, never_persist keeps nothing in the record, redact gives nothing to anybody.',
    },
    retainDays: {
      type: 'object',
      additionalProperties: false,
      description: 'For how many days bytes are kept; false keeps them for good.',
      properties: {
        output: { ...days, default: 30, description: 'Outputs that were too long.' },
        block: { ...days, default: 30, description: 'Pictures, sounds and files in results.' },
        native: { ...days, default: 30, description: 'Outputs as the executor gave them.' },
        protected: { ...days, default: 7, description: 'What only named actors may open.' },
        artifact: { ...days, default: false, description: 'Deliverables.' },
      },
    },
    maxBytes: {
      type: 'integer',
      minimum: 0,
      description: 'How many bytes the results of one tenant may take in all. 10 GB by default.',
    },
    readTool: {
      type: 'boolean',
      description:
        'Whether agents get the tool result.read, by which they read what was kept. By default always through a gateway, and elsewhere as soon as something was kept.',
    },
  },
} as const

const { maxInlineChars, maxInlineLines, maxInlineTokens, previewChars, persistence } =
  resultsSchema.properties

/** What a surface may say of results. */
export const surfaceResultsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'The same as results, for this surface: the strictest limit of tool and surface counts.',
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
  description: 'What counts as secret in inputs, results and messages, and what stands in its place.',
  properties: {
    way: {
      enum: redactionWays,
      default: 'mask',
      description:
        'mask puts [redacted] in its place, hash a keyed digest; drop takes the whole line out; protect masks it and keeps the whole sealed for the readers.',
    },
    patterns: {
      type: 'boolean',
      default: true,
      description: 'Whether texts are searched for what looks like a key, token or password.',
    },
    pii: {
      type: 'array',
      items: { enum: piiClasses },
      description: 'What of persons is taken out too. Nothing by default.',
    },
    environment: {
      type: 'boolean',
      default: true,
      description: 'Whether variables of the environment whose names say so count as secrets.',
    },
    readers: { ...texts, description: 'The actors that may open what protect keeps.' },
  },
} as const

export const blobsSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Where large results and deliverables go. A folder beside the store by default.',
  properties: {
    kind: { enum: ['files', 's3', 'memory'], default: 'files', description: 'What keeps them.' },
    path: { ...text, description: 'files: the folder, relative to this config file.' },
    bucket: { ...text, description: 's3: the bucket.' },
    endpoint: { ...text, description: 's3: the address, for anything but AWS.' },
    region: { ...text, description: 's3: the region.' },
    prefix: { ...text, description: 's3: what all keys begin with.' },
    accessKeyIdVariable: {
      ...text,
      default: 'AWS_ACCESS_KEY_ID',
      description: 's3: the variable of the environment that holds the key id.',
    },
    secretAccessKeyVariable: {
      ...text,
      default: 'AWS_SECRET_ACCESS_KEY',
      description: 's3: the variable of the environment that holds the key.',
    },
    sessionTokenVariable: {
      ...text,
      default: 'AWS_SESSION_TOKEN',
      description: 's3: the variable of the environment that holds the session token, if there is one.',
    },
  },
} as const

/** Where a surface is silent, the crib speaks. */
function withoutDefault<Schema extends { default: unknown }>(schema: Schema): Omit<Schema, 'default'> {
  const { default: _, ...rest } = schema
  return rest
}
