import { JSON_SCHEMA_DIALECT, objectList, schemaVersion } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { redactionStates } from '../unions.js'

const provenance = {
  type: 'object',
  required: ['invocation_id', 'tool_id', 'tool_fingerprint', 'surface_id', 'input_digests', 'source_refs'],
  properties: {
    invocation_id: { type: 'string' },
    tool_id: { type: 'string' },
    tool_fingerprint: { type: 'string' },
    surface_id: { type: 'string' },
    actor: { type: 'string' },
    session: { type: 'string' },
    input_digests: {
      type: 'array',
      description: 'Of the inputs of the call, keyed: they give nothing away.',
      items: {
        type: 'object',
        required: ['uri', 'digest'],
        properties: {
          uri: { type: 'string' },
          digest: { type: 'string' },
          relation: { type: 'string', description: 'What the model wrote, or what ran.' },
        },
        additionalProperties: false,
      },
    },
    source_refs: { ...objectList, description: 'What was kept before and given to the call as an argument.' },
  },
  additionalProperties: false,
} as const

const version = {
  type: 'object',
  required: [
    'version',
    'uri',
    'digest',
    'size_bytes',
    'media_type',
    'preview',
    'redaction_state',
    'created_at',
    'provenance',
  ],
  properties: {
    version: { type: 'integer' },
    uri: { type: 'string' },
    digest: { type: 'string', description: 'Algorithm, colon, value.' },
    size_bytes: { type: 'integer' },
    media_type: { type: 'string' },
    line_count: { type: 'integer' },
    preview: { type: 'string' },
    redaction_state: { enum: redactionStates },
    created_at: { type: 'string' },
    expires_at: { type: 'string', description: 'From then on its bytes cannot be read.' },
    provenance,
  },
  additionalProperties: false,
} as const

const exportRef = {
  type: 'object',
  required: ['uri', 'at', 'version', 'digest'],
  properties: {
    uri: { type: 'string' },
    at: { type: 'string' },
    version: { type: 'integer' },
    digest: { type: 'string' },
    by: { type: 'string' },
  },
  additionalProperties: false,
} as const

const handOffRef = {
  type: 'object',
  required: ['ref', 'to', 'version', 'at'],
  properties: {
    ref: { type: 'string' },
    to: { type: 'string' },
    purpose: { type: 'string' },
    version: { type: 'integer' },
    at: { type: 'string' },
    by: { type: 'string' },
  },
  additionalProperties: false,
} as const

export const toolcribArtifactSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/toolcrib_artifact.schema.json',
  title: 'Artifact',
  description:
    'A durable deliverable that calls made: its versions, where they came from and where they went.',
  type: 'object',
  required: [
    'schema_version',
    'artifact_id',
    'tenant',
    'name',
    'media_type',
    'created_at',
    'updated_at',
    'versions',
    'export_refs',
    'handoff_refs',
  ],
  properties: {
    schema_version: schemaVersion,
    artifact_id: { type: 'string' },
    tenant: { type: 'string' },
    name: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    media_type: { type: 'string', description: 'Of the newest version.' },
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
    versions: { type: 'array', items: version },
    export_refs: { type: 'array', items: exportRef },
    handoff_refs: { type: 'array', items: handOffRef },
    removed_at: { type: 'string', description: 'From then on its bytes cannot be read.' },
  },
  additionalProperties: false,
} as const

/** Our own record, not of the standard; the standard's artifact refs point to it. */
export type ToolcribArtifact = FromSchema<typeof toolcribArtifactSchema>
export type ArtifactVersion = ToolcribArtifact['versions'][number]
export type ArtifactProvenance = ArtifactVersion['provenance']
export type ArtifactExportRef = ToolcribArtifact['export_refs'][number]
export type ArtifactHandOffRef = ToolcribArtifact['handoff_refs'][number]
