import type { DraftExecution, DraftReach, FactRules, PermissionFacts } from '../../catalog/tool-draft.js'

/** What the drafts of tools share that only read what Toolcrib itself keeps. */
export const onlyReads = {
  facts: {
    is_read_only: true,
    is_destructive: false,
    is_open_world: false,
    is_concurrency_safe: true,
    requires_user_interaction: false,
    requires_exclusive_context: false,
  },
  reach: { runs: 'in_process', hosts: [] },
  permission: { risk_level: 'low', access_kinds: [], write_effects: ['none'], approval_required: false },
  execution: { kind: 'embedded_runtime', isIdempotent: true, supports: ['result_persistence', 'offline'] },
} as const satisfies {
  facts: FactRules
  reach: DraftReach
  permission: PermissionFacts
  execution: DraftExecution
}
