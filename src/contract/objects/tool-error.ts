import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'
import { errorClasses, recoverabilities } from '../unions.js'

/** Also used inside results. */
export const toolErrorShape = {
  type: 'object',
  required: ['error_class', 'message'],
  properties: {
    error_class: closed(errorClasses),
    error_code: { type: 'string', description: 'Finer than the class and stable: programs may compare it.' },
    message: { type: 'string' },
    recoverability: closed(recoverabilities),
    retry_after: openOnRead({
      type: ['number', 'null'],
      description: 'Seconds to wait; null where waiting changes nothing.',
    }),
    native_error_ref: openOnRead({ type: 'string', description: 'The error as its own protocol names it.' }),
    policy_refs: stringList,
    evidence_refs: stringList,
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const toolErrorSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_error.schema.json',
  title: 'Tool error',
  description: 'Why a call did not end well, and what would help.',
  ...toolErrorShape,
} as const

export type ToolError = FromSchema<typeof toolErrorSchema>
