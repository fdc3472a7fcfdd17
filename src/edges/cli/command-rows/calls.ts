import type { CommandRow } from '../program/command.js'
import { loosensRules, ruleOptions } from '../rules/rule-option-rows.js'

export const call: CommandRow = {
  name: 'call',
  summary: 'call a tool',
  details:
    'Values are read as the schema of the tool says: numbers, booleans, lists and objects as JSON, everything else as text. key:=value is always JSON; a.b=1 makes an object inside an object. What needs approval is asked about on a terminal; elsewhere it waits for the reviewers of the config and, where there are none, is denied unless --yes or --detach is given. Ctrl-C cancels the call; a second one leaves at once. With --background nobody is at the terminal when it asks. With --json: the tool_result record, or with --background its receipt.',
  arguments: [
    { name: '<tool>', description: 'any of the names of the tool', completes: 'tools' },
    { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
  ],
  options: [
    { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
    { flags: '-y, --yes', description: 'approve the call without asking' },
    { flags: '-v, --verbose', description: 'print progress even where there is no terminal' },
    ...ruleOptions,
    { flags: '-d, --detach', description: 'if it needs approval, print the id of the approval and leave' },
    { flags: '-b, --background', description: 'let it run on alone, print its id and leave' },
  ],
  examples: [
    'toolcrib call math.add a=1 b=2',
    `toolcrib call math.add --input '{"a": 1, "b": 2}'`,
    'toolcrib call notes.write text=hello overwrite=true --yes',
    'toolcrib call slow.count to=100 --background',
  ],
  widens: loosensRules,
  load: () => import('../commands/call.js'),
}

export const batch: CommandRow = {
  name: 'batch',
  summary: 'run several calls from a file',
  details:
    'They run side by side where their tools allow it. The file is a list of calls, an object with "calls" and "policy" (a tool_scheduler_policy), or one call per line. A call has name and input, and may have id, depends_on (ids of earlier calls, or their places from 0), native_call_id and timeout_ms; tool calls as OpenAI and Anthropic write them are understood too. On a terminal each call has a live line; then the results follow in order. What needs approval is asked about as in "call", one question at a time. Ctrl-C stops what can be interrupted, a second one the rest; the results are printed all the same. With --json: an object with batch_id, policy and results. With --jsonl: each event and each result as it comes, in the order of the policy.',
  arguments: [{ name: '<file>', description: 'the calls, as JSON or JSON Lines; - for stdin' }],
  options: [
    { flags: '--max-parallel <count>', description: 'at most this many at once' },
    { flags: '--serial', description: 'one after the other' },
    { flags: '--unordered', description: 'hand results on as they come' },
    {
      flags: '--on-failure <what>',
      description: 'when a call fails: ignore, cancel-siblings or cancel-dependent',
    },
    { flags: '--timeout <ms>', description: 'within what time all calls must have ended' },
    { flags: '--session <id>', description: 'in which session they run' },
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
