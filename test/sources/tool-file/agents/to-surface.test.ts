import { expect, it } from 'vitest'
import { toAgentSurfaces } from '../../../../src/sources/tool-file/agents/to-surface.js'
import type { CompiledAgent, FileProblem } from '../../../../src/sources/tool-file/compiled.js'

const agent = (agentId: string, more: Partial<CompiledAgent> = {}): CompiledAgent => ({
  file: `agents/${agentId}.agent.md`,
  agentId,
  refs: [],
  ...more,
})

const problem = (file: string, level: 'error' | 'warning' = 'error'): FileProblem => ({
  code: 'aml/unknown-ref',
  level,
  message: 'There is no tool "lok".',
  file,
  line: 5,
  column: 12,
  endLine: 5,
  endColumn: 15,
})

const offered = (agents: CompiledAgent[], problems: FileProblem[] = []) =>
  Object.fromEntries(toAgentSurfaces({ agents, problems }, { namespace: 'aml.support' }))

it('an agent file becomes a surface with the ids of its tools', () => {
  const refs = [
    { ref: 'search-kb' },
    { ref: 'send-email', approval_required: true, max_calls_per_run: 3 },
    { ref: 'close-case', approval_required: false },
  ]
  expect(offered([agent('helper', { refs, toolChoice: 'required' }), agent('idle')])).toEqual({
    helper: {
      include: ['aml.support.search-kb', 'aml.support.send-email', 'aml.support.close-case'],
      approvalRequired: ['aml.support.send-email'],
      maxCallsPerRun: { 'aml.support.send-email': 3 },
      defaultToolChoice: 'required',
    },
    idle: { include: [], approvalRequired: [], maxCallsPerRun: {} },
  })
})

it('a file with errors offers no surface and says where the first error is', () => {
  const broken = { problem: 'agents/helper.agent.md:5:12: There is no tool "lok".' }
  const error = problem('agents/helper.agent.md')
  const problems = [error, { ...error, line: 9 }, problem('tools/search-kb.tool.md')]
  expect(offered([], problems)).toEqual({ helper: broken })
  expect(offered([agent('helper')], [{ ...error, code: 'aml/removed-tool' }])).toMatchObject({
    helper: { include: [] },
  })
})
