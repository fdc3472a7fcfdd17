import { agent, type BrokenCase } from './make-cases.js'

/** Agents. */
export const agentCases: readonly BrokenCase[] = [
  agent('no agent_id', [['agent_id: helper\n', '']], 'aml/missing-field 1:1'),
  agent('an agent_id in upper case', [['agent_id: helper', 'agent_id: Helper']], 'aml/invalid-agent-id 3:11'),
  agent(
    'an agent_id that is not the name of the file',
    [['agent_id: helper', 'agent_id: other']],
    'aml/file-name 3:11',
  ),
  agent('no spec_version in an agent', [['spec_version: "1.2"\n', '']], 'aml/missing-field 1:1'),
  agent(
    'no tools',
    [['tools:\n  tool_choice: auto\n  refs:\n    - ref: search-kb\n      approval_required: true\n', '']],
    'aml/agent-without-tools 1:1',
  ),
  agent(
    'tools that are a list',
    [
      [
        'tools:\n  tool_choice: auto\n  refs:\n    - ref: search-kb\n      approval_required: true\n',
        'tools: [search-kb]\n',
      ],
    ],
    'aml/wrong-type 4:1',
  ),
  agent(
    'refs that are a text',
    [['  refs:\n    - ref: search-kb\n      approval_required: true\n', '  refs: search-kb\n']],
    'aml/wrong-type 6:3',
  ),
  agent(
    'a ref that is a text',
    [['- ref: search-kb\n      approval_required: true', '- search-kb']],
    'aml/wrong-type 7:7',
  ),
  agent(
    'a ref without ref',
    [['- ref: search-kb\n      approval_required', '- approval_required']],
    'aml/missing-field 7:7',
  ),
  agent('a ref to no tool', [['ref: search-kb', 'ref: unknown-tool']], 'aml/unresolved-ref 7:12'),
  agent('a misspelled ref', [['ref: search-kb', 'ref: serch-kb']], 'aml/unresolved-ref 7:12'),
  agent('the same ref twice', [['    - ref', '    - ref: search-kb\n    - ref']], 'aml/duplicate-ref 8:12'),
  agent(
    'approval_required: false',
    [['approval_required: true', 'approval_required: false']],
    'aml/loosening-override 8:26',
  ),
  agent(
    'approval_required as a text',
    [['approval_required: true', 'approval_required: "yes"']],
    'aml/wrong-type 8:26',
  ),
  agent(
    'max_calls_per_run of 0',
    [['approval_required: true', 'max_calls_per_run: 0']],
    'aml/invalid-call-limit 8:26',
  ),
  agent(
    'a negative max_calls_per_run',
    [['approval_required: true', 'max_calls_per_run: -1']],
    'aml/invalid-call-limit 8:26',
  ),
  agent(
    'max_calls_per_run that is no number',
    [['approval_required: true', 'max_calls_per_run: many']],
    'aml/invalid-call-limit 8:26',
  ),
  agent('a misspelled override', [['approval_required', 'aproval_required']], 'aml/unknown-field 8:7'),
  agent(
    'an unknown tool_choice',
    [['tool_choice: auto', 'tool_choice: any']],
    'aml/invalid-tool-choice 5:16',
  ),
  agent(
    'a misspelled tool_choice',
    [['tool_choice: auto', 'tool_choice: Auto']],
    'aml/invalid-tool-choice 5:16',
  ),
  agent(
    'required without tools',
    [
      ['tool_choice: auto', 'tool_choice: required'],
      ['    - ref: search-kb\n      approval_required: true\n', '    []\n'],
    ],
    'aml/required-without-tools 5:16',
  ),
  agent('a misspelled refs', [['refs:', 'ref:']], 'aml/agent-without-tools 4:1', 'aml/unknown-field 6:3'),
]
