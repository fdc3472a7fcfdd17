import { error, warning } from './rule.js'

/** Problems of agent files. */
export const agentRules = {
  'aml/invalid-agent-id': error(
    'The agent_id is not valid',
    'Use 3 to 64 lower-case letters, digits, hyphens and underscores.',
  ),
  'aml/duplicate-agent-id': error('Two files have the same agent_id', 'Give each agent an id of its own.'),
  'aml/unresolved-ref': error('A ref names no tool', 'Correct the ref, or add the tool file.'),
  'aml/disabled-ref': error('A ref names a disabled tool', 'Remove the ref, or enable the tool.'),
  'aml/deprecated-ref': warning('A ref names a deprecated tool', 'Use the tool that replaces it.'),
  'aml/draft-ref': warning(
    'A ref names a draft',
    'Publish the tool, or remove the ref; drafts are not callable.',
  ),
  'aml/duplicate-ref': error('A tool is referred to twice', 'Remove one of the refs.'),
  'aml/loosening-override': error(
    'An override loosens what the tool says',
    'Remove the override; overrides may only tighten.',
  ),
  'aml/invalid-call-limit': error(
    'max_calls_per_run is not valid',
    'Use a whole number from 1; remove the ref to forbid the tool.',
  ),
  'aml/invalid-tool-choice': error('tool_choice is not known', 'Use none, auto or required.'),
  'aml/required-without-tools': error(
    'tool_choice is required and there are no tools',
    'Add refs, or use tool_choice auto.',
  ),
  'aml/agent-without-tools': warning('An agent has no tools', 'List its tools under tools.refs.'),
} as const
