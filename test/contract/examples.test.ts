import { describe, expect, it } from 'vitest'
import { parseRecord, type CoreObject } from '../../src/contract/index.js'

// The kinds of record that the standard's text shows, with ids and values of our own.
const examples: [string, CoreObject, Record<string, unknown>][] = [
  [
    'a denial by a rule of the project',
    'tool_permission_decision',
    {
      schema_version: '0.2.0',
      decision_id: 'dec_7',
      invocation_id: 'inv_7',
      behavior: 'deny',
      mode: 'default',
      source: 'project_settings',
      reason: { type: 'rule', rule_ref: 'rule_keys', message: 'Nothing is written below keys/.' },
      blocked_path: '/repo/keys/deploy.pem',
      decided_at: '2026-03-01T10:00:00Z',
    },
  ],
  [
    'its result, whose error has no message and waits for nothing',
    'tool_result',
    {
      schema_version: '0.2.0',
      result_id: 'res_7',
      invocation_id: 'inv_7',
      status: 'denied',
      is_error: true,
      error: {
        error_class: 'permission_denied',
        recoverability: 'change_arguments_or_policy',
        retry_after: null,
      },
      policy_refs: ['policy:keys'],
      created_at: '2026-03-01T10:00:01Z',
    },
  ],
  [
    'a policy for parallel reads',
    'tool_scheduler_policy',
    {
      schema_version: '0.2.0',
      scheduler_policy_id: 'sched_1',
      ordering_policy: 'preserve_terminal_order',
      yield_policy: 'progress_immediate_results_ordered',
      max_parallel: 4,
      sibling_failure_policy: 'ignore',
      context_modifier_policy: 'defer_until_batch_complete',
    },
  ],
  [
    'a surface with a deferred tool that states no version',
    'tool_surface',
    {
      schema_version: '0.2.0',
      surface_id: 'surf_3',
      scope: 'turn',
      loaded_tools: ['tool_search'],
      deferred_tools: [
        {
          tool_id: 'mcp.wiki.find_page',
          name: 'mcp__wiki__find_page',
          namespace: 'mcp.wiki',
          search_hint: 'find a page',
          source: 'mcp',
          schema_visibility: 'deferred',
          loading_state: 'discoverable',
          native_ref: { server_name: 'wiki', tool_name: 'find_page' },
        },
      ],
    },
  ],
  [
    'a search by exact name',
    'tool_search_result',
    {
      schema_version: '0.2.0',
      query: 'select:mcp__wiki__find_page',
      query_type: 'select',
      matches: ['mcp.wiki.find_page'],
      total_deferred_tools: 12,
      next_action: 'load_schema_then_call',
    },
  ],
  [
    'a large result that was kept',
    'tool_result_persistence',
    {
      schema_version: '0.2.0',
      decision_id: 'keep_9',
      invocation_id: 'inv_9',
      result_id: 'res_9',
      strategy: 'preview_and_persist',
      threshold: { max_inline_chars: 20000 },
      original_size_bytes: 90210,
      preview_size_bytes: 1024,
      persisted_ref: { uri: 'toolcrib://results/inv_9', media_type: 'text/plain', digest: 'sha256:00' },
      reason: 'result_exceeded_inline_limit',
      created_at: '2026-03-01T10:00:00Z',
    },
  ],
  [
    'the result that points to it',
    'tool_result',
    {
      schema_version: '0.2.0',
      result_id: 'res_9',
      invocation_id: 'inv_9',
      status: 'succeeded',
      model_facing_content: [{ type: 'text', text: 'The first lines; the rest is kept.' }],
      persistence_refs: ['keep_9'],
      created_at: '2026-03-01T10:00:01Z',
    },
  ],
  [
    'a declaration',
    'tool_declaration',
    {
      schema_version: '0.2.0',
      tool_id: 'tool_clock',
      namespace: 'time',
      name: 'now',
      aliases: ['clock'],
      description: 'Tells the time. Not for dates in the past.',
      lifecycle: 'available',
      tool_kind: 'function',
      input_contract: { strict: true, model_input_schema: { type: 'object', properties: {} } },
      interface_ref: 'tool_interface:time.now',
    },
  ],
]

describe('records like those in the standard’s text', () => {
  it.each(examples)('%s', (_title, object, record) => {
    const parsed = parseRecord(object, record)
    expect(parsed).toEqual({ ok: true, record })
    expect(parsed.ok && parsed.record).toBe(record)
  })
})
