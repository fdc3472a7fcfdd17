/** The shapes of fields that several records share. */
import { closed } from './closed.js'
import { openOnRead } from './open-on-read.js'
import { contentClasses, redactionStates, SCHEMA_VERSION } from './unions.js'

export const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

export const schemaVersion = closed([SCHEMA_VERSION])

/** Our own facts, on every record. */
export const ownFields = openOnRead({
  type: 'object',
  description: 'Fields that only Toolcrib has.',
  additionalProperties: true,
})

export const anyObject = { type: 'object', additionalProperties: true } as const
export const stringList = { type: 'array', items: { type: 'string' } } as const
export const objectList = { type: 'array', items: anyObject } as const

/** A fact that is known beforehand, or the name of the classifier that determines it per call. */
export const factOrClassifier = { type: ['boolean', 'string'] } as const

/** Something stored elsewhere: enough to fetch it and to check that it has not changed. */
export const payloadRefShape = {
  type: 'object',
  properties: {
    ref_id: { type: 'string' },
    uri: { type: 'string' },
    native_ref: { description: 'Its id in the protocol that owns it.' },
    name: { type: 'string' },
    title: { type: 'string' },
    media_type: { type: 'string' },
    size_bytes: { type: 'integer' },
    digest: { type: 'string', description: 'Algorithm, colon, value.' },
    access: { type: 'string', description: 'Who may fetch it, or how.' },
    relation: { type: 'string', description: 'How it came from this call: produced, read, preview of.' },
    redaction_state: closed(redactionStates),
    expires_at: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const payloadRefList = { type: 'array', items: payloadRefShape } as const

/** One block of a result. Which fields beside `type` are filled depends on the class. */
export const contentBlockShape = {
  type: 'object',
  required: ['type'],
  properties: {
    type: closed(contentClasses),
    text: { type: 'string' },
    structured_content: {},
    data: { type: 'string', description: 'Base64 bytes of a small image, sound, film or file.' },
    uri: { type: 'string' },
    name: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    media_type: { type: 'string' },
    size_bytes: { type: 'integer' },
    digest: { type: 'string' },
    ref: payloadRefShape,
    resource: { ...anyObject, description: 'The embedded resource, as its protocol gave it.' },
    annotations: { ...anyObject, description: 'Untrusted hints from the author of the block.' },
    redaction_state: closed(redactionStates),
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const contentBlockList = { type: 'array', items: contentBlockShape } as const

/** The position of this call in a distributed trace. */
export const telemetryRefShape = {
  type: 'object',
  properties: {
    trace_id: { type: 'string' },
    span_id: { type: 'string' },
    tool_name: { type: 'string' },
    tool_call_id: { type: 'string' },
    request_id: { type: 'string' },
    duration_ms: { type: 'number' },
    result_size_bytes: { type: 'integer' },
    decision_source: { type: 'string' },
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const telemetryRefList = { type: 'array', items: telemetryRefShape } as const
