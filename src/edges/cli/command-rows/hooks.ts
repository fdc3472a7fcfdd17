import type { CommandRow } from '../program/command.js'

export const hooks: CommandRow = {
  name: 'hooks',
  summary: 'list the hooks',
  details:
    'In the order in which they run: the id, when it is asked, about which tools, and the program or endpoint. With --json: the entries of the config, each with the ids of the tools that it speaks of.',
  examples: ['toolcrib hooks', 'toolcrib hooks --json'],
  load: () => import('../commands/policy/hooks.js'),
}

export const hooksTest: CommandRow = {
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
  load: () => import('../commands/policy/hooks-test.js'),
}
