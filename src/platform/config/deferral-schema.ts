const names = { type: 'array', items: { type: 'string', minLength: 1 } } as const

/** When tools are kept out of the prompt until they are found. */
export const deferralSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Which tools are kept out of the prompt until they are found; see docs/deferred-loading.md.',
  properties: {
    budgetTokens: {
      type: 'integer',
      minimum: 1,
      description:
        'The most tokens (o200k_base) that tools may take up front. Without it only tools that say so are deferred.',
    },
    always: { ...names, description: 'Tool name patterns that are up front whatever they cost.' },
    never: {
      ...names,
      description: 'Tool name patterns that are never up front, only found; stronger than always.',
    },
    way: {
      enum: ['load', 'pair', 'native'],
      default: 'load',
      description:
        'load: a loaded tool joins the end of the list; pair: the list never changes; native: all tools are on the list, and the provider keeps the deferred ones out of the prompt.',
    },
  },
} as const

/** What takes part in finding tools. */
export const searchSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'How tools are found; see docs/tool-search.md.',
  properties: {
    sentences: {
      type: 'boolean',
      default: false,
      description: 'Compares whole sentences too, by a model that is installed apart.',
    },
  },
} as const
