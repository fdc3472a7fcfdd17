import type { ArgumentRow, CommandRow } from '../program/command.js'

const CALL: ArgumentRow = {
  name: '<call>',
  description: 'the id of the call, a part of it that no other has, or "last"',
}

export const show: CommandRow = {
  name: 'show',
  summary: 'tell the story of one call, or what a ref stands for',
  details:
    'Every event with its time, what was decided and by whom, what changed the input. With --json: an object with invocation, result, decisions, mutations, hooks, progress and events. A ref of a record (a rule, a hook, an interface, a surface, a decision) is shown as it was when the record was written.',
  arguments: [
    { name: '<call>', description: 'the id of the call, a part of it that no other has, "last", or a ref' },
  ],
  examples: ['toolcrib show last', 'toolcrib show last --json', 'toolcrib show tool:files.read'],
  load: () => import('../commands/record/show.js'),
}

export const log: CommandRow = {
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
    { flags: '--client <name>', description: 'only calls of this MCP client, by the name it gives itself' },
    { flags: '--since <time>', description: '30s, 10m, 2h, 7d ago, or a date like 2026-07-30T12:00Z' },
    { flags: '-n, --limit <count>', description: 'at most this many', default: '20' },
    { flags: '--events', description: 'print events instead of calls' },
  ],
  examples: ['toolcrib log --since 2h --status failed,denied', 'toolcrib log --follow --json'],
  load: () => import('../commands/record/log.js'),
}

export const tasks: CommandRow = {
  name: 'tasks',
  summary: 'list the calls that are open',
  details:
    'Of each the id, the tool, where it stands and for how long, the process that runs it, and what it last said. With --json: one object per line with the tool_invocation and tool_progress records and the owner.',
  examples: ['toolcrib tasks', 'toolcrib tasks --json'],
  load: () => import('../commands/record/tasks.js'),
}

export const progress: CommandRow = {
  name: 'progress',
  summary: 'show how far a call is',
  details:
    'One line for each step, with its number in front. With --follow it goes on until the call ends; Ctrl-C ends only the reading. With --json: one tool_progress record per line.',
  arguments: [CALL],
  options: [
    { flags: '--since <number>', description: 'only what follows the line with this number' },
    { flags: '-f, --follow', description: 'go on until the call has ended' },
  ],
  examples: ['toolcrib progress last --follow', 'toolcrib progress last --since 7 --json'],
  load: () => import('../commands/record/progress.js'),
}

export const cancel: CommandRow = {
  name: 'cancel',
  summary: 'ask a call to stop, in whatever process it runs',
  details:
    'Returns when whoever runs the call was told; "progress --follow" shows how it ends. A call whose process is gone is ended at once. With --json: an object with invocation_id, outcome (requested or ended) and status.',
  arguments: [CALL],
  examples: ['toolcrib cancel last'],
  load: () => import('../commands/record/cancel.js'),
}
