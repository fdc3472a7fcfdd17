import type { FromSchema, JsonSchema } from '../../contract/json-schema.js'
import { hookEvents } from '../../contract/unions.js'
import { searchSchema } from './deferral-schema.js'
import { breakerSchema, limitSchema } from './limit-schema.js'
import { blobsSchema, redactionSchema, resultsSchema } from './results-schema.js'
import { serveSchema } from './serve-schema.js'
import { sectionSchemas } from './source-sections.js'
import { surfaceSchema } from './surface-schema.js'

const text = { type: 'string', minLength: 1 } as const

const texts = { type: 'array', items: text } as const
const textMap = { type: 'object', additionalProperties: { type: 'string' } } as const

const condition = {
  type: 'object',
  additionalProperties: false,
  required: ['field'],
  properties: {
    field: { ...text, description: 'A dotted path into the input.' },
    matches: { ...text, description: 'A text with * for any run of characters.' },
    equals: { description: 'The very value.' },
    oneOf: { type: 'array', description: 'One of these values.' },
  },
} as const

const hook = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'event'],
  properties: {
    id: { ...text, description: 'The name by which records and commands know the hook.' },
    event: { enum: hookEvents, description: 'When it is asked.' },
    tools: { ...texts, description: 'Tool name patterns; absent: every tool.' },
    matcher: {
      ...text,
      description: 'Instead of tools: a regular expression over whole names, such as Edit|Write or mcp__.*.',
    },
    when: {
      anyOf: [condition, { type: 'array', items: condition }],
      description:
        'Only calls whose input meets all of these: a field (a dotted path) and one of matches (with *), equals and oneOf.',
    },
    command: {
      ...text,
      description: 'The program; without args a line for sh -c. Starts in the workspace.',
    },
    args: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The arguments of the program, which then runs without a shell. In both, ./ is the folder of this file.',
    },
    env: {
      ...textMap,
      description: 'More variables for the program; ${NAME} takes one of this process.',
    },
    url: { ...text, description: 'Instead of command: the endpoint that the call is posted to.' },
    headers: {
      ...textMap,
      description:
        'Headers for the endpoint; ${NAME} takes a variable of this process and is never recorded.',
    },
    timeoutMs: { type: 'integer', minimum: 1, default: 60_000, description: 'How long it may take.' },
    order: {
      type: 'integer',
      description:
        'Lower numbers first, hooks without one last. Two hooks that rewrite one call each need one.',
    },
    onFailure: {
      enum: ['ask', 'deny', 'continue'],
      default: 'ask',
      description: 'What it counts as when the hook breaks, where the event decides something.',
    },
    authoritative: {
      type: 'boolean',
      default: false,
      description: 'Its allow stands against an ask of a rule, though never against a deny.',
    },
  },
} as const

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
      description: 'How long one attempt at a call may run, in milliseconds, when its tool does not say.',
    },
    retries: {
      description:
        'How often a failed attempt at a call is followed by another, when its tool does not say: a number, or an object. Only what may be repeated is: idempotent and reading tools, and failures that say that nothing happened.',
      anyOf: [
        { type: 'integer', minimum: 0, default: 0, description: 'Attempts after the first.' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['max'],
          properties: {
            max: { type: 'integer', minimum: 0, description: 'Attempts after the first.' },
            baseMs: {
              type: 'integer',
              minimum: 1,
              default: 250,
              description: 'About the first wait, in milliseconds; each further one is twice as long.',
            },
            maxMs: {
              type: 'integer',
              minimum: 1,
              default: 30_000,
              description: 'The longest wait. What asks for a longer one is not tried again.',
            },
          },
        },
      ],
    },
    results: resultsSchema,
    redaction: redactionSchema,
    search: searchSchema,
    blobs: blobsSchema,
    maxProgressPerSecond: {
      type: 'integer',
      minimum: 0,
      default: 10,
      description:
        'How many progress records of one call are kept in a second; what is said more often is put together. 0 keeps the first and the last.',
    },
    permission: {
      type: 'object',
      additionalProperties: false,
      description:
        'Who may do what: rules of the form tool or tool(specifier). Deny wins over ask, ask over allow. Rules that loosen count once this file is trusted: toolcrib trust.',
      properties: {
        mode: {
          enum: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypass'],
          default: 'default',
          description:
            'What happens where no rule speaks: default asks, acceptEdits lets files in the working folders be edited, plan only reads, dontAsk denies what would be asked, auto leaves it to a classifier, bypass lets it run.',
        },
        allow: {
          type: 'array',
          description:
            'Rules that let a call run, such as files.read(./src/**). A rule is a text, or an object with rule, when, reason, match and not_match.',
        },
        ask: { type: 'array', description: 'Rules that have a person asked.' },
        deny: { type: 'array', description: 'Rules that refuse a call; nothing lifts them but a waiver.' },
        waivers: {
          type: 'array',
          description: 'Deny or ask rules of this file that are lifted for a time: rule, reason, until, by.',
        },
        working_directories: {
          type: 'array',
          items: text,
          description: 'Folders, relative to this file; paths outside of them are asked about.',
        },
        engine: {
          type: 'object',
          additionalProperties: false,
          description:
            'Decides what no rule decides: Cedar policies in files, or an endpoint. Unreachable or slow means deny.',
          properties: {
            cedar: { ...texts, description: 'Policy files: paths or globs, relative to this file.' },
            entities: { ...text, description: 'A JSON file with the entities of the Cedar policies.' },
            schema: { ...text, description: 'A Cedar schema to check the policies against.' },
            url: { ...text, description: 'Instead of cedar: the endpoint that calls are posted to.' },
            headers: { ...textMap, description: 'Headers for the endpoint; ${NAME} takes a variable.' },
            timeoutMs: { type: 'integer', minimum: 1, default: 2000, description: 'How long it may take.' },
          },
        },
        classifier: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'url'],
          description: 'An endpoint that may fill what the mode auto leaves open, or tighten.',
          properties: {
            id: { ...text, description: 'The name by which decisions know it.' },
            url: { ...text, description: 'Where it is asked.' },
            headers: { ...textMap, description: 'Headers for the endpoint; ${NAME} takes a variable.' },
            timeoutMs: { type: 'integer', minimum: 1, default: 5000, description: 'How long it may take.' },
            canApprove: { type: 'boolean', default: false, description: 'Its safe may allow.' },
            canDeny: { type: 'boolean', default: false, description: 'Its unsafe may deny.' },
            mustAnswer: { type: 'boolean', default: false, description: 'Without it nothing is allowed.' },
          },
        },
      },
    },
    limits: {
      type: 'array',
      items: limitSchema,
      description: 'How many calls may come, by tool, source, tenant and actor; see docs/limits.md.',
    },
    breaker: breakerSchema,
    approvals: {
      type: 'object',
      additionalProperties: false,
      description: 'Who may approve calls from another process, and for how long they can.',
      properties: {
        reviewers: {
          type: 'array',
          description:
            'Names of those who may answer. A name answers through the library or at a terminal; one with token_sha256 also elsewhere, with the secret in TOOLCRIB_REVIEWER_TOKEN.',
          items: {
            anyOf: [
              text,
              {
                type: 'object',
                additionalProperties: false,
                required: ['name', 'token_sha256'],
                properties: {
                  name: { ...text, description: 'Who answers, as written in the records.' },
                  token_sha256: {
                    type: 'string',
                    pattern: '^[0-9a-fA-F]{64}$',
                    description: 'The SHA-256 of the secret, in hex.',
                  },
                },
              },
            ],
          },
        },
        expiresMs: {
          type: 'integer',
          minimum: 1,
          default: 86_400_000,
          description: 'How long a question stays open, in milliseconds.',
        },
      },
    },
    surface: surfaceSchema,
    ...sectionSchemas,
    serve: serveSchema,
    hooks: {
      type: 'array',
      items: hook,
      description: 'Programs and endpoints that are asked before and after calls; see docs/hooks.md.',
    },
  },
} as const satisfies JsonSchema

export type CribConfig = FromSchema<typeof configSchema>
