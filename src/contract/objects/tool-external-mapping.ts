import { JSON_SCHEMA_DIALECT, ownFields, stringList } from '../field-shapes.js'
import type { FromSchema } from '../json-schema.js'
import { openOnRead } from '../open-on-read.js'

/** Also used inside declarations, interfaces and execution profiles. */
export const toolExternalMappingShape = {
  type: 'object',
  required: ['source'],
  properties: {
    source: { type: 'string', description: 'Which protocol the ids belong to: mcp, openapi, a2a, cli, …' },

    // Shared by several protocols.
    method: { type: 'string' },
    tool_name: { type: 'string' },
    tool_call_id: { type: 'string' },
    task_id: { type: 'string' },
    request_id: openOnRead({ type: ['string', 'number'] }),

    // MCP.
    server_id: { type: 'string' },
    server_name: { type: 'string' },
    mcp_session_id: { type: 'string' },
    mcp_protocol_version: { type: 'string' },
    jsonrpc_request_id: openOnRead({ type: ['string', 'number', 'null'] }),
    structuredContent: { description: 'As the server sent it.' },
    isError: { type: 'boolean' },
    _meta: openOnRead({ type: 'object', additionalProperties: true }),

    // OpenAPI.
    operation_id: { type: 'string' },
    path: { type: 'string' },
    server_url: { type: 'string' },
    security_scheme_refs: stringList,

    // Function calling.
    function_name: { type: 'string' },
    tool_choice: { description: 'As the provider spells it.' },
    parallel_tool_calls: { type: 'boolean' },
    strict: { type: 'boolean' },
    defer_loading: { type: 'boolean' },

    // A2A.
    agent_card_url: { type: 'string' },
    agent_skill_id: { type: 'string' },
    context_id: { type: 'string' },
    message_id: { type: 'string' },
    artifact_id: { type: 'string' },

    // Command line.
    command_id: { type: 'string' },
    argv_ref: { type: 'string' },
    cwd_ref: { type: 'string' },
    env_policy_ref: { type: 'string' },
    exit_code: openOnRead({ type: ['integer', 'null'] }),
    signal: openOnRead({ type: ['string', 'null'] }),
    sandbox_ref: { type: 'string' },
    stdout_ref: { type: 'string' },
    stderr_ref: { type: 'string' },
    background_task_id: { type: 'string' },
    timeout_ms: { type: 'integer' },

    // Browser.
    browser_session_id: { type: 'string' },
    page_id: { type: 'string' },
    action_id: { type: 'string' },
    observation_ref: { type: 'string' },
    screenshot_ref: { type: 'string' },

    // Telemetry.
    trace_id: { type: 'string' },
    span_id: { type: 'string' },
    duration_ms: { type: 'number' },
    result_size_bytes: { type: 'integer' },

    toolcrib: ownFields,
  },
  additionalProperties: true,
} as const

export const toolExternalMappingSchema = {
  $schema: JSON_SCHEMA_DIALECT,
  $id: 'https://toolcrib.dev/schemas/tool_external_mapping.schema.json',
  title: 'External mapping',
  description: 'The ids that a tool or a call has in the protocol it really belongs to.',
  ...toolExternalMappingShape,
} as const

export type ToolExternalMapping = FromSchema<typeof toolExternalMappingSchema>
