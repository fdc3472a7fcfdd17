import { redactionModes } from '../redaction-modes.js'
import { deferralSchema } from './deferral-schema.js'
import { surfaceResultsSchema } from './results-schema.js'

const text = { type: 'string', minLength: 1 } as const

/** The tools that a caller sees. */
export const surfaceSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'The surface of a caller that does not ask for another one.',
  properties: {
    role: { ...text, description: 'The role of the caller; tools may be limited to roles.' },
    workspace: {
      ...text,
      description: 'The workspace of the caller; tools may be limited to workspaces.',
    },
    mode: {
      enum: ['default', 'plan', 'non_interactive', 'acceptEdits', 'dontAsk', 'auto', 'bypass'],
      default: 'default',
      description:
        'plan hides tools that write; non_interactive hides tools that need a person; the others are permission modes.',
    },
    features: { type: 'array', items: text, description: 'Feature gates that are enabled.' },
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
    approvalRequired: {
      type: 'array',
      items: text,
      description:
        'Tool name patterns; every call of a matching tool needs approval, whatever rules, modes, hooks or deciders allow.',
    },
    maxCallsPerRun: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description:
        'How many calls of a tool one run may make, by name or pattern; a run is the session of the caller.',
    },
    agent: {
      ...text,
      description:
        'The agent file whose tools, approvals and limits the surface has; the other settings can only tighten them.',
    },
    deferral: deferralSchema,
    results: surfaceResultsSchema,
    redaction: {
      enum: redactionModes,
      description: 'What replaces secrets on this surface; the value of redaction.way by default.',
    },
  },
} as const
