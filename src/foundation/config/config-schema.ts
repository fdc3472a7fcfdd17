import type { FromSchema, JsonSchema } from '../contract/json-schema.js'

const text = { type: 'string', minLength: 1 } as const

/** What a config file may say. The defaults named here are applied by the runtime, not by the loader. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://toolcrib.dev/schemas/toolcrib-config.schema.json',
  title: 'Toolcrib config',
  description: 'Settings of one tool crib: toolcrib.yaml, toolcrib.json or toolcrib.config.ts.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Where editors find the schema of this file.' },
    tools: {
      type: 'array',
      items: text,
      description:
        'Modules that export tools: paths or globs (*, **) relative to this file. A module exports one tool or an array of tools as its default, or tools by name.',
    },
    store: {
      description: 'Where records are kept: "memory", or an object with kind and path. SQLite by default.',
      anyOf: [
        { const: 'memory', description: 'Nothing outlives the process.' },
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            kind: {
              enum: ['sqlite', 'memory'],
              default: 'sqlite',
              description: 'sqlite keeps records in one file; memory forgets them at exit.',
            },
            path: {
              ...text,
              description: 'The SQLite file, relative to this config file. In the state folder by default.',
            },
          },
        },
      ],
    },
    tenant: {
      ...text,
      default: 'default',
      description: 'Whose records these are; tenants never see each other.',
    },
    actor: { ...text, description: 'Who calls, as written in the records, when a caller does not say.' },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      description: 'How long one call may run, in milliseconds, when its tool does not say.',
    },
    maxInlineChars: {
      type: 'integer',
      minimum: 0,
      description: 'Results longer than this become a preview with a reference to the whole.',
    },
    surface: {
      type: 'object',
      additionalProperties: false,
      description: 'What a caller sees when it does not ask for something else.',
      properties: {
        role: { ...text, description: 'The role of the caller; tools may be limited to roles.' },
        workspace: {
          ...text,
          description: 'The workspace of the caller; tools may be limited to workspaces.',
        },
        mode: {
          enum: ['default', 'plan', 'non_interactive'],
          default: 'default',
          description: 'plan hides tools that write; non_interactive hides tools that need a person.',
        },
        features: { type: 'array', items: text, description: 'Feature gates that are on.' },
        credentials: { type: 'array', items: text, description: 'Names of credentials that are available.' },
        skills: { type: 'array', items: text, description: 'Skills that are active.' },
        include: {
          type: 'array',
          items: text,
          description: 'Tool name patterns; when given, only tools that match one of them are shown.',
        },
        exclude: {
          type: 'array',
          items: text,
          description: 'Tool name patterns that are never shown; stronger than include.',
        },
      },
    },
  },
} as const satisfies JsonSchema

export type CribConfig = FromSchema<typeof configSchema>
