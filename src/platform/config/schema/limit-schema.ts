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
      description: 'What calls are counted by; with a list, each combination is counted separately.',
    },
    of: {
      description:
        'The names that the limit applies to: a name or pattern with *, a list, or an object of them; all by default.',
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
    perMinute: { ...count, description: 'How many calls are allowed per minute.' },
    burst: {
      ...count,
      description: 'How many of them are allowed at once after a pause; as many as perMinute by default.',
    },
    concurrent: { ...count, description: 'How many calls may run at the same time.' },
    perRun: {
      ...count,
      description: 'How many calls are allowed in one session or, without a session, on one surface.',
    },
    over: {
      enum: ['wait', 'refuse'],
      default: 'wait',
      description: 'Whether a call over perMinute or concurrent waits or is refused.',
    },
    maxWaitMs: {
      type: 'integer',
      minimum: 0,
      default: 60_000,
      description:
        'The longest wait for perMinute, in milliseconds; a call that would wait longer is refused.',
    },
  },
} as const

export const breakerSchema = {
  type: 'object',
  additionalProperties: false,
  description:
    'A circuit breaker: a source that failed several times in a row is not called for a while; {} uses the defaults.',
  properties: {
    failures: { ...count, default: 5, description: 'How many failures in a row open the circuit.' },
    openMs: { ...count, default: 30_000, description: 'How long the circuit stays open, in milliseconds.' },
    probes: {
      ...count,
      default: 1,
      description: 'How many calls then try the source; the circuit closes if all of them succeed.',
    },
    sources: { ...texts, description: 'Names of sources, or patterns with *; every source by default.' },
  },
} as const
