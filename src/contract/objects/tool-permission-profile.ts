import { closed } from '../closed.js'
import { JSON_SCHEMA_DIALECT, ownFields, schemaVersion, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { accessKinds, riskLevels, writeEffects } from '../unions.js'

export const toolPermissionProfileSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_permission_profile.schema.json',
  title: 'Permission profile',
  description: 'What a tool touches and risks: the facts that a decision needs, not the decision.',
  type: 'object',
  required: ['schema_version', 'permission_profile_id', 'risk_level'],
  properties: {
    schema_version: schemaVersion,
    permission_profile_id: { type: 'string' },
    risk_level: { enum: riskLevels },
    access_kinds: { type: 'array', items: closed(accessKinds) },
    write_effects: { type: 'array', items: closed(writeEffects) },
    network_scope: { type: 'string' },
    tenant_scope: { type: 'string' },
    credential_refs: { ...stringList, description: 'Names of credentials, never the secrets.' },
    sandbox_profile: { type: 'string' },
    approval_required: { type: 'boolean' },
    approval_reason: { type: 'string' },
    permission_channel: { type: 'string', description: 'Whom to ask, and how.' },
    rule_matching_fields: { ...stringList, description: 'Which inputs rules look at: path, command, url, …' },
    data_sensitivity: { type: 'string' },
    retention_hint: { type: 'string' },
    redaction_required: { type: 'boolean' },
    policy_refs: stringList,
    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export type ToolPermissionProfile = FromSchema<typeof toolPermissionProfileSchema>
