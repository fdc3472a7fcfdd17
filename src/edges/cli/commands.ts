import { ruleOptions } from './rule-option-rows.js'
import type { ArgumentRow, CommandRow, OptionRow } from './command.js'

/** Understood by every command, before or after its name. */
export const commonOptions: readonly OptionRow[] = [
  { flags: '--config <file>', description: 'use this config file, not the nearest one' },
  { flags: '--store <path>', description: 'keep records in this file, or in "memory"' },
  { flags: '--json', description: 'print records as JSON, for programs' },
]

export const exitCodes: readonly { code: number; meaning: string }[] = [
  { code: 0, meaning: 'All went well.' },
  {
    code: 1,
    meaning: 'The tool call ended with an error, was refused or was cancelled; or a line of input was wrong.',
  },
  {
    code: 2,
    meaning: 'The command line, the config or the store is wrong, or there is no such tool or call.',
  },
]

const APPROVAL: ArgumentRow = {
  name: '<approval>',
  description: 'the id of the approval, a part of it that no other has, or "last"',
}
const CALL: ArgumentRow = {
  name: '<call>',
  description: 'the id of the call, a part of it that no other has, or "last"',
}
const AS: OptionRow = { flags: '--as <reviewer>', description: 'answer as this reviewer of the config' }
/** What commands of two words have in common, where the first word is no command itself. */
export const commandGroups: Readonly<Record<string, string>> = {
  shell: 'look at shell commands without running them',
}

/** Every command, in the order in which help and docs show them. */
export const commands: readonly CommandRow[] = [
  {
    name: 'tools',
    summary: 'list the tools; "tools show <name>" has the details',
    details:
      'Reads the config and the modules it names; no store is opened. With --json: tool_declaration records.',
    examples: ['toolcrib tools', 'toolcrib tools --json'],
    load: () => import('./commands/tools.js'),
  },
  {
    name: 'tools show',
    summary: 'show all about one tool',
    details:
      'Its schema, its facts and where each comes from, what its executor can do, its risks. With --json: an object with declaration, interface, execution_profile, permission_profile and fingerprint.',
    arguments: [{ name: '<name>', description: 'any of the names of the tool' }],
    examples: ['toolcrib tools show math.add'],
    load: () => import('./commands/tools-show.js'),
  },
  {
    name: 'call',
    summary: 'call a tool and print its result',
    details:
      'Values are read as the schema of the tool says: numbers, booleans, lists and objects as JSON, everything else as text. key:=value is always JSON; a.b=1 makes an object inside an object. What needs approval is asked about on a terminal; elsewhere it waits for the reviewers of the config and, where there are none, is rejected unless --yes or --detach is given. Ctrl-C cancels the call; a second one leaves at once. With --background nobody is at the terminal when it asks. With --json: the tool_result record, or with --background its receipt.',
    arguments: [
      { name: '<tool>', description: 'any of the names of the tool' },
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
    load: () => import('./commands/call.js'),
  },
  {
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
    load: () => import('./commands/batch.js'),
  },
  {
    name: 'explain',
    summary: 'say what would be decided about a call, and why',
    details:
      'Nothing runs and no store is opened. The tool may be one of yours or one that coding agents know, such as Bash, Read, Edit or WebFetch. With --jsonl each line of stdin is {"tool": …, "input": …} and is answered by one line: useful in the hooks of other agents.',
    arguments: [
      { name: '[tool]', description: 'any of the names of the tool' },
      { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
    ],
    options: [
      { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
      { flags: '--jsonl', description: 'judge one call per line of stdin' },
      ...ruleOptions,
      { flags: '--actor <name>', description: 'who would call' },
      { flags: '--role <name>', description: 'in which role' },
      { flags: '--session <id>', description: 'in which session' },
    ],
    examples: [
      `toolcrib explain Bash --input '{"command": "git push"}'`,
      'toolcrib explain files.read path=.env --deny "Read(.env)"',
      'toolcrib explain --jsonl --rules rules.yaml < calls.jsonl',
    ],
    load: () => import('./commands/explain.js'),
  },
  {
    name: 'rules',
    summary: 'list the permission rules and where each comes from',
    details:
      'Rules come from /etc/toolcrib/policy.yaml, from rules.yaml in your settings folder, from the permission block of the config, from toolcrib.local.yaml beside it, and from options. The strictest wins over all of them. Exit code 1 when a rule cannot be read.',
    options: ruleOptions,
    examples: ['toolcrib rules', 'toolcrib rules --json'],
    load: () => import('./commands/rules.js'),
  },
  {
    name: 'rules add',
    summary: 'add a rule to one of your files',
    details: 'The file is replaced in one step; comments stay. What loosens needs a person at a terminal.',
    arguments: [
      { name: '<behavior>', description: 'allow, ask or deny' },
      { name: '<rule>', description: 'tool or tool(specifier)' },
    ],
    options: [{ flags: '--to <where>', description: 'local, project or user', default: 'local' }],
    examples: [
      'toolcrib rules add deny "Read(.env)"',
      'toolcrib rules add allow "Bash(npm run test:*)" --to user',
    ],
    load: () => import('./commands/rules-add.js'),
  },
  {
    name: 'rules remove',
    summary: 'remove a rule from one of your files',
    arguments: [
      { name: '<behavior>', description: 'allow, ask or deny' },
      { name: '<rule>', description: 'as "toolcrib rules" shows it' },
    ],
    options: [{ flags: '--to <where>', description: 'local, project or user', default: 'local' }],
    examples: ['toolcrib rules remove allow "Bash(npm run test:*)"'],
    load: () => import('./commands/rules-remove.js'),
  },
  {
    name: 'trust',
    summary: 'let the rules of this project loosen what may run',
    details:
      'Until then, rules of a project folder may refuse and ask, but not allow. Trust holds for the files as they are now: any change asks again. Only a person at a terminal can give it.',
    options: [{ flags: '--revoke', description: 'take the trust back' }],
    examples: ['toolcrib trust', 'toolcrib trust --revoke'],
    load: () => import('./commands/trust.js'),
  },
  {
    name: 'import',
    summary: 'take over rules and hooks of a coding agent',
    details:
      'Reads the permissions and hooks of a .claude/settings.json; what has no meaning here is named and left out. A hook that breaks counts as an ask here; with --keep-going it lets the call go on, as it did there.',
    arguments: [{ name: '[file]', description: 'the settings; absent: .claude/settings.json' }],
    options: [
      { flags: '--to <where>', description: 'local, project or user', default: 'local' },
      { flags: '--keep-going', description: 'imported hooks carry onFailure: continue' },
      { flags: '--dry-run', description: 'only say what would be taken over' },
    ],
    examples: ['toolcrib import --dry-run', 'toolcrib import ~/.claude/settings.json --to user'],
    load: () => import('./commands/import.js'),
  },
  {
    name: 'show',
    summary: 'tell the story of one call',
    details:
      'Every event with its time, what was decided and by whom, what changed the input. With --json: an object with invocation, result, decisions, mutations, hooks, progress and events.',
    arguments: [CALL],
    examples: ['toolcrib show last', 'toolcrib show last --json'],
    load: () => import('./commands/show.js'),
  },
  {
    name: 'log',
    summary: 'list calls, the newest last',
    details:
      'With --follow a call appears when it ends. With --json: one tool_invocation record per line, or one tool_event record with --events.',
    options: [
      { flags: '-f, --follow', description: 'go on with new calls, also of other processes' },
      { flags: '--tool <name>', description: 'only calls of this tool' },
      { flags: '--status <status>', description: 'only calls in this status; several by comma' },
      { flags: '--actor <name>', description: 'only calls of this caller' },
      { flags: '--session <id>', description: 'only calls of this session' },
      { flags: '--since <time>', description: '30s, 10m, 2h, 7d ago, or a date like 2026-07-30T12:00Z' },
      { flags: '-n, --limit <count>', description: 'at most this many', default: '20' },
      { flags: '--events', description: 'print events instead of calls' },
    ],
    examples: ['toolcrib log --since 2h --status failed,denied', 'toolcrib log --follow --json'],
    load: () => import('./commands/log.js'),
  },
  {
    name: 'tasks',
    summary: 'list open calls; "progress" and "cancel" take one',
    details:
      'Of each the id, the tool, where it stands and for how long, the process that runs it, and what it last said. With --json: one object per line with the tool_invocation and tool_progress records and the owner.',
    examples: ['toolcrib tasks', 'toolcrib tasks --json'],
    load: () => import('./commands/tasks.js'),
  },
  {
    name: 'progress',
    isNamedElsewhere: true,
    summary: 'show how far a call is',
    details:
      'One line for each step, with its number in front. With --follow it goes on until the call ends; Ctrl-C ends only the reading. With --json: one tool_progress record per line.',
    arguments: [CALL],
    options: [
      { flags: '--since <number>', description: 'only what follows the line with this number' },
      { flags: '-f, --follow', description: 'go on until the call has ended' },
    ],
    examples: ['toolcrib progress last --follow', 'toolcrib progress last --since 7 --json'],
    load: () => import('./commands/progress.js'),
  },
  {
    name: 'cancel',
    isNamedElsewhere: true,
    summary: 'ask a call to stop, in whatever process it runs',
    details:
      'Returns when whoever runs the call was told; "progress --follow" shows how it ends. A call whose process is gone is ended at once. With --json: an object with invocation_id, outcome (requested or ended) and status.',
    arguments: [CALL],
    examples: ['toolcrib cancel last'],
    load: () => import('./commands/cancel.js'),
  },
  {
    name: 'hooks',
    summary: 'list the hooks; "hooks test <id>" tries one',
    details:
      'In the order in which they run: the id, when it is asked, about which tools, and the program or endpoint. With --json: the entries of the config, each with the ids of the tools that it speaks of.',
    examples: ['toolcrib hooks', 'toolcrib hooks --json'],
    load: () => import('./commands/hooks.js'),
  },
  {
    name: 'hooks test',
    summary: 'run one hook on a sample call; no tool runs',
    details:
      'Prints what the hook said and what that would mean for the call. Ends with 1 when the hook broke. With --json: an object with the answer or the problem, and means, a list of sentences.',
    arguments: [{ name: '<id>', description: 'the id of the hook' }],
    options: [
      { flags: '-i, --input <json>', description: 'the input of the call: JSON, @file, or - for stdin' },
      { flags: '--tool <name>', description: 'the tool that is called; absent: one that does not exist' },
      { flags: '--output <json>', description: 'what the tool gave, for hooks that look at results' },
    ],
    examples: [`toolcrib hooks test no-secrets --tool file.read --input '{"path": ".env"}'`],
    load: () => import('./commands/hooks-test.js'),
  },
  {
    name: 'limits',
    summary: 'list the limits and where they stand; also: locks',
    details:
      'Of each limit how many calls may come and what happens over it; below it, for all that are counted apart, what is used of the minute, how many run, and what each run has used. Counts are those of all processes that share the store. With --json: an object with limits and breaker.',
    examples: ['toolcrib limits', 'toolcrib limits --json'],
    load: () => import('./commands/limits.js'),
  },
  {
    name: 'approvals',
    summary: 'list the calls that wait for approval',
    details:
      'Of each the id, the tool, what it would do, who asked and how long that can be answered. With --json: one toolcrib_approval record per line.',
    options: [{ flags: '--all', description: 'also those that were answered or have run out' }],
    examples: ['toolcrib approvals', 'toolcrib approvals --all --json'],
    load: () => import('./commands/approvals.js'),
  },
  {
    name: 'approvals show',
    summary: 'show all about one approval',
    details:
      'The input in full, with secrets masked, why it is asked about, and the changes of rules that may be accepted with it, by number. With --json: the toolcrib_approval record.',
    arguments: [APPROVAL],
    examples: ['toolcrib approvals show last'],
    load: () => import('./commands/approvals-show.js'),
  },
  {
    name: 'approvals approve',
    summary: 'approve a call, as it is or with another input',
    details:
      'On a terminal the person at it answers; elsewhere --as names a reviewer whose token_sha256 stands in the config, and TOOLCRIB_REVIEWER_TOKEN holds the secret. Masks that are left in --input stand for the secrets that they hide. If the process that asked is gone, the call runs here and its result is printed. From inside a tool call nothing can be approved.',
    arguments: [APPROVAL],
    options: [
      { flags: '-i, --input <json>', description: 'run it with this input: JSON, @file, or - for stdin' },
      { flags: '--session [number]', description: 'accept a suggested change of rules for this session' },
      { flags: '--always [number]', description: 'accept a suggested change of rules for good' },
      { flags: '--feedback <text>', description: 'a word to go with it' },
      { flags: '--wait', description: 'wait for the result where another process goes on with it' },
      AS,
    ],
    examples: [
      'toolcrib approvals approve last',
      `toolcrib approvals approve last --input '{"table": "drafts"}'`,
      'toolcrib approvals approve last --always 1 --wait',
    ],
    load: () => import('./commands/approvals-approve.js'),
  },
  {
    name: 'approvals reject',
    summary: 'reject a call, with a word for the model',
    arguments: [APPROVAL],
    options: [{ flags: '--feedback <text>', description: 'what the model reads as the reason' }, AS],
    examples: [`toolcrib approvals reject last --feedback 'Use the copy, not the original.'`],
    load: () => import('./commands/approvals-reject.js'),
  },
  {
    name: 'locks',
    isNamedElsewhere: true,
    summary: 'list the locks that calls hold or wait for',
    details:
      'Of each claim whether it is held or waited for, the key, how, the call and since when. Only what is shared through the store is shown, and what a dead process left is not. With --json: one object per line.',
    examples: ['toolcrib locks', 'toolcrib locks --json'],
    load: () => import('./commands/locks.js'),
  },
  {
    name: 'shell read',
    summary: 'tell what a shell command would do, without running it',
    details:
      'Whether it only reads, what it reads, writes, deletes and runs, which hosts it talks to, every command inside of it. Paths at or below the folder are shown without it; wildcards stay, and ** stands for what only the shell knows. Neither config nor store is needed. With --json: one object. With --jsonl: one object for each line; a line that cannot be read gives an object with "error", and the exit code is 1.',
    arguments: [{ name: '[command...]', description: 'the command, best in quotes as one word' }],
    options: [
      { flags: '--jsonl', description: 'read lines like {"command": "ls", "cwd": "src"} from stdin' },
      { flags: '--cwd <folder>', description: 'where it would run; the current folder by default' },
    ],
    examples: [
      `toolcrib shell read 'cat .env | sort > x'`,
      `toolcrib shell read --json 'sudo rm -rf build'`,
      `echo '{"command": "git status"}' | toolcrib shell read --jsonl`,
    ],
    load: () => import('./commands/shell-read.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a record or of the config',
    arguments: [
      { name: '[object]', description: 'such as tool_result, or config; absent: the list of names' },
    ],
    examples: ['toolcrib schema', 'toolcrib schema tool_result', 'toolcrib schema config'],
    load: () => import('./commands/schema.js'),
  },
  {
    name: 'version',
    summary: 'print what this is and what it runs on',
    examples: ['toolcrib version', 'toolcrib version --json'],
    load: () => import('./commands/version.js'),
  },
  {
    name: 'demo',
    summary: 'try it on a few example tools; nothing is kept',
    details:
      'On a terminal a menu; elsewhere a tour of a few calls and their stories. With --json: the tour, one story per line.',
    examples: ['toolcrib demo'],
    load: () => import('./commands/demo.js'),
  },
]
