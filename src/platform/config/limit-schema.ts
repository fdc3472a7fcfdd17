const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const names = { anyOf: [text, texts] } as const
const dimension = { type: 'string', enum: ['tool', 'source', 'tenant', 'actor'] } as const
const count = { type: 'integer', minimum: 1 } as const

/** One of the limits of a config. */
export const limitSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['by'],
  properties: {
    by: {
      anyOf: [dimension, { type: 'array', items: dimension }],
      description: 'What calls are counted by; of a list, each combination is counted apart.',
    },
    of: {
      description:
        'Which ones it is about: a name or pattern with *, a list, or an object of them; absent: every one.',
      anyOf: [
        text,
        texts,
        {
          type: 'object',
          additionalProperties: false,
          properties: { tool: names, source: names, tenant: names, actor: names },
        },
      ],
    },
    perMinute: { ...count, description: 'How many may come in a minute.' },
    burst: {
      ...count,
      description: 'How many of them may come at once after a pause; as many as perMinute by default.',
    },
    concurrent: { ...count, description: 'How many may run at the same time.' },
    perRun: {
      ...count,
      description: 'How many there may be in one session or, where there is none, on one surface.',
    },
    over: {
      enum: ['wait', 'refuse'],
      default: 'wait',
      description: 'Whether a call over perMinute or concurrent waits for its turn or is refused.',
    },
    maxWaitMs: {
      type: 'integer',
      minimum: 0,
      default: 60_000,
      description: 'A call that would have to wait longer for perMinute is refused.',
    },
  },
} as const

export const breakerSchema = {
  type: 'object',
  additionalProperties: false,
  description:
    'Leaves a source alone for a while after it has failed several times in a row; {} has the usual numbers.',
  properties: {
    failures: { ...count, default: 5, description: 'So many failures in a row open the circuit.' },
    openMs: { ...count, default: 30_000, description: 'How long it stays open, in milliseconds.' },
    probes: {
      ...count,
      default: 1,
      description: 'How many calls then try the source; the circuit closes when all of them went well.',
    },
    sources: { ...texts, description: 'Names of sources, or patterns with *; absent: every source.' },
  },
} as const
