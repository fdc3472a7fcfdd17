import type { ArgumentRow, CommandRow } from '../program/command.js'

const CALL: ArgumentRow = {
  name: '<call>',
  description: 'the id of the call, a unique part of it, or "last"',
}

export const show: CommandRow = {
  name: 'show',
  summary: 'show the story of one call, or the target of a ref',
  details:
    'Shows every event with its time, the decisions and who made them, and the changes of the input. With --json: an object with invocation, result, decisions, mutations, hooks, progress and events. Of a call whose record was deleted, it shows what is left (--json: an object with deleted_record). A ref of a record (a rule, a hook, an interface, a surface, a decision) is shown in its state when the record was written.',
  arguments: [{ name: '<call>', description: 'the id of the call, a unique part of it, "last", or a ref' }],
  examples: ['toolcrib show last', 'toolcrib show last --json', 'toolcrib show tool:files.read'],
  load: () => import('../commands/record/show.js'),
}

export const log: CommandRow = {
  name: 'log',
  summary: 'list calls, the newest last',
  details:
    'With --follow a call appears when it ends. With --json: one tool_invocation record per line, or one tool_event record with --events.',
  options: [
    { flags: '-f, --follow', description: 'continue with new calls, also of other processes' },
    { flags: '--tool <name>', description: 'only calls of this tool' },
    { flags: '--status <status>', description: 'only calls in this status; separate several by commas' },
    { flags: '--actor <name>', description: 'only calls of this caller' },
    { flags: '--session <id>', description: 'only calls of this session' },
    { flags: '--client <name>', description: 'only calls of this MCP client, by the name it gives itself' },
    { flags: '--since <time>', description: '30s, 10m, 2h, 7d ago, or a date like 2026-07-30T12:00Z' },
    { flags: '-n, --limit <count>', description: 'at most this many', default: '20' },
    { flags: '--events', description: 'print events instead of calls' },
  ],
  examples: ['toolcrib log --since 2h --status failed,denied', 'toolcrib log --follow --json'],
  load: () => import('../commands/record/log.js'),
}

export const stats: CommandRow = {
  name: 'stats',
  summary: 'show numbers about calls over time',
  details:
    'Counts calls, errors, denials, cancellations and approvals, with the quantiles of the time that calls took and waited, and the same for each tool. A call counts at the time when it ended. With --json: an object with points over time, totals, by_tool and by_source.',
  options: [
    {
      flags: '--since <time>',
      description: '10m, 24h, 7d ago, or a date like 2026-07-30T12:00Z',
      default: '24h',
    },
  ],
  examples: ['toolcrib stats', 'toolcrib stats --since 7d --json'],
  load: () => import('../commands/record/stats.js'),
}

export const tasks: CommandRow = {
  name: 'tasks',
  summary: 'list open calls',
  details:
    'Prints the id, the tool, the status and its duration, the process, and the last progress message of each call. With --json: one object per line with the tool_invocation and tool_progress records and the owner.',
  examples: ['toolcrib tasks', 'toolcrib tasks --json'],
  load: () => import('../commands/record/tasks.js'),
}

export const progress: CommandRow = {
  name: 'progress',
  summary: 'show the progress of a call',
  details:
    'Prints one line for each step, with its number. With --follow it continues until the call ends; Ctrl-C ends only the output. With --json: one tool_progress record per line.',
  arguments: [CALL],
  options: [
    { flags: '--since <number>', description: 'only lines after this number' },
    { flags: '-f, --follow', description: 'continue until the call has ended' },
  ],
  examples: ['toolcrib progress last --follow', 'toolcrib progress last --since 7 --json'],
  load: () => import('../commands/record/progress.js'),
}

export const cancel: CommandRow = {
  name: 'cancel',
  summary: 'cancel a call, in any process',
  details:
    'Returns when the process that runs the call is notified; "progress --follow" shows the outcome. A call whose process has ended is ended at once. With --json: an object with invocation_id, outcome (requested or ended) and status.',
  arguments: [CALL],
  examples: ['toolcrib cancel last'],
  load: () => import('../commands/record/cancel.js'),
}
