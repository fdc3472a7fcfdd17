const names = { type: 'array', items: { type: 'string', minLength: 1 } } as const

/** Which tools stay out of the prompt until a search finds them. */
export const deferralSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Which tools stay out of the prompt until a search finds them; see docs/deferred-loading.md.',
  properties: {
    budgetTokens: {
      type: 'integer',
      minimum: 1,
      description:
        'The maximum number of tokens (o200k_base) that tools may take up front. Without it, only tools that declare it are deferred.',
    },
    always: { ...names, description: 'Tool name patterns that are always up front, whatever they cost.' },
    never: {
      ...names,
      description: 'Tool name patterns that are never up front, only found by search; stronger than always.',
    },
    way: {
      enum: ['load', 'pair', 'native'],
      default: 'load',
      description:
        'load: a loaded tool is appended to the list; pair: the list never changes; native: all tools are on the list, and the provider keeps the deferred ones out of the prompt.',
    },
  },
} as const

/** How tools are searched. */
export const searchSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'How tools are searched; see docs/tool-search.md.',
  properties: {
    sentences: {
      type: 'boolean',
      default: false,
      description: 'Whether whole sentences are compared too, with a model that is installed separately.',
    },
  },
} as const
