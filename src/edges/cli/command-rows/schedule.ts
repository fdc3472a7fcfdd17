import type { CommandRow } from '../program/command.js'

export const limits: CommandRow = {
  name: 'limits',
  summary: 'list the limits and what is used of them',
  details:
    'Of each limit how many calls may come and what happens over it; below it, for all that are counted apart, what is used of the minute, how many run, and what each run has used. Counts are those of all processes that share the store. With --json: an object with limits and breaker.',
  examples: ['toolcrib limits', 'toolcrib limits --json'],
  load: () => import('../commands/record/limits.js'),
}

export const locks: CommandRow = {
  name: 'locks',
  summary: 'list the locks that calls hold or wait for',
  details:
    'Of each claim whether it is held or waited for, the key, how, the call and since when. Only what is shared through the store is shown, and what a dead process left is not. With --json: one object per line.',
  examples: ['toolcrib locks', 'toolcrib locks --json'],
  load: () => import('../commands/record/locks.js'),
}
