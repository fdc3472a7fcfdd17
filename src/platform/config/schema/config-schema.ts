import type { FromSchema, JsonSchema } from '../../../contract/json-schema.js'
import { hookEvents } from '../../../contract/unions.js'
import { searchSchema } from './deferral-schema.js'
import { breakerSchema, limitSchema } from './limit-schema.js'
import { blobsSchema, redactionSchema, resultsSchema, retentionSchema } from './results-schema.js'
import { serveSchema } from './serve-schema.js'
import { sectionSchemas } from '../source-sections.js'
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
    matches: { ...text, description: 'A text in which * matches any characters.' },
    equals: { description: 'The exact value.' },
    oneOf: { type: 'array', description: 'One of these values.' },
  },
} as const

const hook = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'event'],
  properties: {
    id: { ...text, description: 'The name of the hook in records and commands.' },
    event: { enum: hookEvents, description: 'The event that runs the hook.' },
    tools: { ...texts, description: 'Tool name patterns; every tool by default.' },
    matcher: {
      ...text,
      description: 'Instead of tools: a regular expression over whole names, such as Edit|Write or mcp__.*.',
    },
    when: {
      anyOf: [condition, { type: 'array', items: condition }],
      description:
        'Conditions that the input must meet, all of them: a field (a dotted path) and one of matches (with *), equals and oneOf.',
    },
    command: {
      ...text,
      description: 'The program; without args, a command line for sh -c. It starts in the workspace.',
    },
    args: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The arguments of the program, which then runs without a shell. In command and args, ./ is the folder of this file.',
    },
    env: {
      ...textMap,
      description: 'More environment variables for the program; ${NAME} inserts a variable of this process.',
    },
    url: { ...text, description: 'Instead of command: the endpoint that gets the call as a POST request.' },
    headers: {
      ...textMap,
      description:
        'Headers for the endpoint; ${NAME} inserts a variable of this process, whose value is never recorded.',
    },
    timeoutMs: { type: 'integer', minimum: 1, default: 60_000, description: 'The timeout, in milliseconds.' },
    order: {
      type: 'integer',
      description:
        'The order of hooks: lower numbers first, hooks without a number last. Two hooks that rewrite one call each need a number.',
    },
    onFailure: {
      enum: ['ask', 'deny', 'continue'],
      default: 'ask',
      description: 'What a failure of the hook counts as, for events that decide about a call.',
    },
    authoritative: {
      type: 'boolean',
      default: false,
      description: 'An allow of the hook overrides an ask of a rule, but never a deny.',
    },
  },
} as const

/** The keys of a config file. The runtime applies the defaults that are named here, not the loader. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://toolcrib.dev/schemas/toolcrib-config.schema.json',
  title: 'Toolcrib config',
  description: 'Settings of one tool crib: toolcrib.yaml, toolcrib.json or toolcrib.config.ts.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'The address of the schema of this file, for editors.' },
    tools: {
      type: 'array',
      items: text,
      description:
        'Modules that export tools: paths or globs (*, **) relative to this file. A module exports one tool or an array of tools as its default, or tools by name.',
    },
    store: {
      description: 'Where records are stored: "memory", or an object with kind and path. SQLite by default.',
      anyOf: [
        { const: 'memory', description: 'Records end with the process.' },
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            kind: {
              enum: ['sqlite', 'memory'],
              default: 'sqlite',
              description: 'sqlite stores records in one file; memory loses them at exit.',
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
      description: 'The tenant that owns the records; tenants never see each other.',
    },
    actor: { ...text, description: 'The actor in the records if a caller does not name one.' },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      description: 'The timeout of one attempt of a call, in milliseconds, if its tool has none.',
    },
    retries: {
      description:
        'How often a failed attempt of a call is retried if its tool does not say: a number, or an object. Only safe calls are retried: calls of idempotent and read-only tools, and failures that say that nothing happened.',
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
              description: 'The approximate first wait, in milliseconds; each further wait is twice as long.',
            },
            maxMs: {
              type: 'integer',
              minimum: 1,
              default: 30_000,
              description:
                'The longest wait, in milliseconds. A failure that asks for a longer wait is not retried.',
            },
          },
        },
      ],
    },
    results: resultsSchema,
    retention: retentionSchema,
    redaction: redactionSchema,
    search: searchSchema,
    blobs: blobsSchema,
    maxProgressPerSecond: {
      type: 'integer',
      minimum: 0,
      default: 10,
      description:
        'How many progress records of one call are stored per second; more frequent reports are merged. 0 stores the first and the last.',
    },
    permission: {
      type: 'object',
      additionalProperties: false,
      description:
        'Which calls may run: rules of the form tool or tool(specifier). Deny wins over ask, ask over allow. Rules that loosen count once this file is trusted: toolcrib trust.',
      properties: {
        mode: {
          enum: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypass'],
          default: 'default',
          description:
            'What happens to calls that no rule matches: default asks, acceptEdits allows edits of files in the working folders, plan allows reads only, dontAsk denies calls that need approval, auto uses a classifier, bypass allows them.',
        },
        allow: {
          type: 'array',
          description:
            'Rules that allow a call, such as files.read(./src/**). A rule is a text, or an object with rule, when, reason, match and not_match.',
        },
        ask: { type: 'array', description: 'Rules that require approval.' },
        deny: { type: 'array', description: 'Rules that deny a call; only a waiver lifts them.' },
        waivers: {
          type: 'array',
          description: 'Deny or ask rules of this file that are lifted for a time: rule, reason, until, by.',
        },
        working_directories: {
          type: 'array',
          items: text,
          description: 'Folders, relative to this file; calls with paths outside of them need approval.',
        },
        engine: {
          type: 'object',
          additionalProperties: false,
          description:
            'Decides calls that no rule decides: Cedar policies in files, or an endpoint. An engine that fails or times out denies the call.',
          properties: {
            cedar: { ...texts, description: 'Policy files: paths or globs, relative to this file.' },
            entities: { ...text, description: 'A JSON file with the entities of the Cedar policies.' },
            schema: { ...text, description: 'A Cedar schema to check the policies against.' },
            url: { ...text, description: 'Instead of cedar: the endpoint that gets calls as POST requests.' },
            headers: { ...textMap, description: 'Headers for the endpoint; ${NAME} inserts a variable.' },
            timeoutMs: {
              type: 'integer',
              minimum: 1,
              default: 2000,
              description: 'The timeout, in milliseconds.',
            },
          },
        },
        classifier: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'url'],
          description:
            'An endpoint that may decide calls that the mode auto leaves open, or tighten decisions.',
          properties: {
            id: { ...text, description: 'The name of the classifier in decisions.' },
            url: { ...text, description: 'The address of the endpoint.' },
            headers: { ...textMap, description: 'Headers for the endpoint; ${NAME} inserts a variable.' },
            timeoutMs: {
              type: 'integer',
              minimum: 1,
              default: 5000,
              description: 'The timeout, in milliseconds.',
            },
            canApprove: {
              type: 'boolean',
              default: false,
              description: 'Whether its answer safe may allow a call.',
            },
            canDeny: {
              type: 'boolean',
              default: false,
              description: 'Whether its answer unsafe may deny a call.',
            },
            mustAnswer: {
              type: 'boolean',
              default: false,
              description: 'Whether nothing is allowed without its answer.',
            },
          },
        },
      },
    },
    limits: {
      type: 'array',
      items: limitSchema,
      description: 'How many calls are allowed, by tool, source, tenant and actor; see docs/limits.md.',
    },
    breaker: breakerSchema,
    approvals: {
      type: 'object',
      additionalProperties: false,
      description: 'Who may approve calls from another process, and for how long.',
      properties: {
        reviewers: {
          type: 'array',
          description:
            'Names of the reviewers. A reviewer answers through the library or at a terminal; a reviewer with token_sha256 also elsewhere, with the secret in TOOLCRIB_REVIEWER_TOKEN.',
          items: {
            anyOf: [
              text,
              {
                type: 'object',
                additionalProperties: false,
                required: ['name', 'token_sha256'],
                properties: {
                  name: { ...text, description: 'The name of the reviewer in the records.' },
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
      description: 'Programs and endpoints that run before and after calls; see docs/hooks.md.',
    },
  },
} as const satisfies JsonSchema

export type CribConfig = FromSchema<typeof configSchema>
