import type { CommandRow } from '../program/command.js'

export const limits: CommandRow = {
  name: 'limits',
  summary: 'list the limits and their current use',
  details:
    'Prints the number of calls that each limit allows and what happens over it. Below, for each separate count: the calls in this minute, the running calls, and the use of each run. Counts include all processes that share the store. With --json: an object with limits and breaker.',
  examples: ['toolcrib limits', 'toolcrib limits --json'],
  load: () => import('../commands/record/limits.js'),
}

export const locks: CommandRow = {
  name: 'locks',
  summary: 'list the locks that calls hold or wait for',
  details:
    'Prints the state (held or waiting), key, access, call and time of each claim. Only locks that are shared through the store are shown; those of dead processes are not. With --json: one object per line.',
  examples: ['toolcrib locks', 'toolcrib locks --json'],
  load: () => import('../commands/record/locks.js'),
}
