import type { CommandRow } from '../program/command.js'

export const hooks: CommandRow = {
  name: 'hooks',
  summary: 'list the hooks',
  details:
    'Prints the id, event, tools, and program or endpoint of each hook, in the order in which they run. With --json: the entries of the config, each with the ids of the tools that it applies to.',
  examples: ['toolcrib hooks', 'toolcrib hooks --json'],
  load: () => import('../commands/policy/hooks.js'),
}

export const hooksTest: CommandRow = {
  name: 'hooks test',
  summary: 'run one hook on a sample call; no tool runs',
  details:
    'Prints the answer of the hook and its effect on the call. Exit code 1 if the hook failed. With --json: an object with the answer or the problem, and means, a list of sentences.',
  arguments: [{ name: '<id>', description: 'the id of the hook' }],
  options: [
    { flags: '-i, --input <json>', description: 'the input of the call: JSON, @file, or - for stdin' },
    {
      flags: '--tool <name>',
      description: 'the tool that is called; without it: a tool that does not exist',
    },
    { flags: '--output <json>', description: 'the output of the tool, for hooks that inspect results' },
  ],
  examples: [`toolcrib hooks test no-secrets --tool file.read --input '{"path": ".env"}'`],
  load: () => import('../commands/policy/hooks-test.js'),
}
