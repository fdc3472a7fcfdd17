const text = { type: 'string', minLength: 1 } as const
const milliseconds = { type: 'integer', minimum: 1 } as const

/** One tool of a folder. */
export const toolSettingsSchema = {
  title: 'tool',
  type: 'object',
  additionalProperties: false,
  properties: {
    cacheMs: {
      ...milliseconds,
      description: 'How long a result of a retrieval tool is used again for the same input, in milliseconds.',
    },
    queue: { ...text, description: 'Of a human tool: the name of the queue that its questions are in.' },
    reviewers: {
      type: 'array',
      items: text,
      description: 'Of a human tool: who may answer. Every reviewer by default.',
    },
    expiresMs: {
      ...milliseconds,
      description: 'Of a human tool: how long a question stays open, in milliseconds.',
    },
    remindMs: {
      ...milliseconds,
      description: 'Of a human tool: after how long a reminder is sent, in milliseconds.',
    },
  },
} as const

/** One folder with tool files. */
export const toolFolderSchema = {
  title: 'tool folder',
  type: 'object',
  additionalProperties: false,
  properties: {
    folder: {
      ...text,
      description:
        'The folder with tools/ and agents/, relative to this file; the folder of this file by default.',
    },
    code: {
      ...text,
      description:
        'The module with the code of function tools, relative to this file: its default export is an object of functions by tool id.',
    },
    drafts: {
      type: 'boolean',
      default: false,
      description: 'true: tools with the status draft can be called too.',
    },
    disabled: { type: 'boolean', default: false, description: 'true: the folder is not used.' },
    tools: {
      type: 'object',
      additionalProperties: toolSettingsSchema,
      description: 'Settings of single tools, by tool id.',
    },
  },
} as const

export const toolFoldersSchema = {
  type: 'object',
  additionalProperties: toolFolderSchema,
  description:
    'Folders with tool files (AML: `tools/*.tool.md` and `agents/*.agent.md`) by name. See docs/tool-files.md.',
} as const
