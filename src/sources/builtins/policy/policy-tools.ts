import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { failure } from '../../http/to-failure.js'
import type { OpenBuiltin } from '../builtin.js'
import { onlyReads } from '../only-reads.js'

interface CheckInput {
  readonly tool: string
  readonly input?: unknown
}

const policyCheck = createDraft({
  namespace: 'local.policy',
  name: 'policy.check',
  toolId: 'tool_policy_check',
  title: 'Check a call against the rules',
  description:
    'Tell whether a call of one of your tools would run, need approval or be denied, and why. The call is not made.',
  searchHint: 'would this call be allowed, denied or need approval',
  kind: 'policy_check',
  externalMappings: [{ source: 'builtin', function_name: 'policy.check' }],
  input: {
    strict: true,
    modelSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', minLength: 1, description: 'The name of the tool.' },
        input: { type: 'object', description: 'The arguments of the call.' },
      },
      required: ['tool'],
      additionalProperties: false,
    },
    refs: 'keep',
  },
  output: {
    schema: {
      type: 'object',
      properties: {
        tool_id: { type: 'string' },
        behavior: { type: 'string', description: 'allow, ask or deny.' },
        reason: { type: 'string' },
        rule_refs: { type: 'array', items: { type: 'string' } },
        reads: { type: 'array', items: { type: 'string' } },
        writes: { type: 'array', items: { type: 'string' } },
        hosts: { type: 'array', items: { type: 'string' } },
        what_would_change: { type: 'array', items: { type: 'string' } },
      },
      required: ['tool_id', 'behavior', 'reason'],
      additionalProperties: false,
    },
  },
  ...onlyReads,
  execute: check,
})

/** A tool that tells whether a call would be allowed. */
export const open: OpenBuiltin<'policy'> = async () => ({ drafts: [policyCheck] })

function check({ tool, input = {} }: CheckInput, { caller }: ExecuteContext): object {
  const found = caller.explain({ name: tool, input })
  if (!found)
    throw failure(`You have no tool "${tool}"; use a name from your list of tools.`, {
      errorClass: 'execution_failed',
      code: 'toolcrib.execution_failed',
      needsOtherArguments: true,
      nothingHappened: true,
    })
  const { tool_id, behavior, reason, rule_refs, reads, writes, hosts, what_would_change } = found
  return { tool_id, behavior, reason: reason.message, rule_refs, reads, writes, hosts, what_would_change }
}
