import type { CommandRow, OptionRow } from './command.js'

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
      'Values are read as the schema of the tool says: numbers, booleans, lists and objects as JSON, everything else as text. key:=value is always JSON; a.b=1 makes an object inside an object. What needs approval is asked about on a terminal, else rejected unless --yes is given. Ctrl-C cancels the call; a second one leaves at once. With --json: the tool_result record.',
    arguments: [
      { name: '<tool>', description: 'any of the names of the tool' },
      { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
    ],
    options: [
      { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
      { flags: '-y, --yes', description: 'approve the call without asking' },
      { flags: '-v, --verbose', description: 'print progress even where there is no terminal' },
    ],
    examples: [
      'toolcrib call math.add a=1 b=2',
      `toolcrib call math.add --input '{"a": 1, "b": 2}'`,
      'toolcrib call notes.write text=hello overwrite=true --yes',
    ],
    load: () => import('./commands/call.js'),
  },
  {
    name: 'show',
    summary: 'tell the story of one call',
    details:
      'Every event with its time, what was decided and by whom, what changed the input. With --json: an object with invocation, result, decisions, mutations, hooks, progress and events.',
    arguments: [
      { name: '<call>', description: 'the id of the call, a part of it that no other has, or "last"' },
    ],
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
