import type { CommandRow } from '../program/command.js'
import { loosensRules, ruleOptions } from './rule-option-rows.js'

export const call: CommandRow = {
  name: 'call',
  summary: 'call a tool',
  details:
    'Values are parsed by the schema of the tool: numbers, booleans, lists and objects as JSON, everything else as text. key:=value is always JSON; a.b=1 makes a nested object. A call that needs approval asks on a terminal; elsewhere it waits for the reviewers of the config, and without reviewers it is denied unless --yes or --detach is given. Ctrl-C cancels the call; a second Ctrl-C exits at once. With --background, the call cannot ask at the terminal. With --json: the tool_result record, or with --background its receipt.',
  arguments: [
    { name: '<tool>', description: 'any name of the tool', completes: 'tools' },
    { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
  ],
  options: [
    { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
    {
      flags: '--agent <name>',
      description: 'call it as this agent file allows: its tools, approvals and limits',
    },
    { flags: '--session <id>', description: 'the session of the call: limits of a run count in it' },
    { flags: '-y, --yes', description: 'approve the call without asking' },
    { flags: '-v, --verbose', description: 'print progress even without a terminal' },
    ...ruleOptions,
    {
      flags: '-d, --detach',
      description: 'if the call needs approval, print the id of the approval and exit',
    },
    { flags: '-b, --background', description: 'run the call in the background, print its id and exit' },
  ],
  examples: [
    'toolcrib call math.add a=1 b=2',
    `toolcrib call math.add --input '{"a": 1, "b": 2}'`,
    'toolcrib call notes.write text=hello overwrite=true --yes',
    'toolcrib call slow.count to=100 --background',
    'toolcrib call --agent support-agent search-kb query=refunds',
  ],
  widens: loosensRules,
  load: () => import('../commands/call.js'),
}

export const batch: CommandRow = {
  name: 'batch',
  summary: 'run several calls from a file',
  details:
    'The calls run in parallel if their tools allow it. The file is a list of calls, an object with "calls" and "policy" (a tool_scheduler_policy), or one call per line. A call has name and input, and may have id, depends_on (ids of earlier calls, or their positions from 0), native_call_id and timeout_ms; tool calls in the formats of OpenAI and Anthropic are accepted too. On a terminal, each call has a live line; then the results follow in order. Approvals work as in "call", one at a time. Ctrl-C stops the calls that can be interrupted, a second Ctrl-C stops the others; the results are still printed. With --json: an object with batch_id, policy and results. With --jsonl: each event and each result when it is ready, in the order of the policy.',
  arguments: [{ name: '<file>', description: 'the calls, as JSON or JSON Lines; - for stdin' }],
  options: [
    { flags: '--max-parallel <count>', description: 'run at most this many at the same time' },
    { flags: '--serial', description: 'run one call after the other' },
    { flags: '--unordered', description: 'print results when they are ready' },
    {
      flags: '--on-failure <what>',
      description: 'when a call fails: ignore, cancel-siblings or cancel-dependent',
    },
    { flags: '--timeout <ms>', description: 'time limit for all calls together' },
    { flags: '--agent <name>', description: 'call the tools as this agent file allows' },
    { flags: '--session <id>', description: 'the session of the calls' },
    { flags: '--jsonl', description: 'print events and results as JSON, one per line' },
    { flags: '-y, --yes', description: 'approve the calls without asking' },
    { flags: '-v, --verbose', description: 'print each change as a line instead of live lines' },
    ...ruleOptions,
  ],
  examples: [
    'toolcrib batch calls.json',
    'toolcrib batch calls.json --max-parallel 4 --on-failure cancel-siblings',
    `echo '{"name": "math.add", "input": {"a": 1, "b": 2}}' | toolcrib batch - --json`,
  ],
  widens: loosensRules,
  load: () => import('../commands/batch.js'),
}
