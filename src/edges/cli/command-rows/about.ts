import type { CommandRow } from '../program/command.js'

export const schema: CommandRow = {
  name: 'schema',
  summary: 'print the JSON Schema of a record, the config or a tool file',
  arguments: [
    {
      name: '[object]',
      description: 'for example tool_result, config or tool_file; without it: the list of names',
    },
  ],
  examples: [
    'toolcrib schema',
    'toolcrib schema tool_result',
    'toolcrib schema config',
    'toolcrib schema tool_file',
  ],
  load: () => import('../commands/tools/schema.js'),
}

export const version: CommandRow = {
  name: 'version',
  summary: 'print the version and the platform',
  examples: ['toolcrib version', 'toolcrib version --json'],
  load: () => import('../commands/version.js'),
}

export const demo: CommandRow = {
  name: 'demo',
  summary: 'try example tools; nothing is stored',
  details:
    'On a terminal it shows a menu; elsewhere it makes a few sample calls and prints their stories. With --json: the sample calls, one story per line.',
  examples: ['toolcrib demo'],
  load: () => import('../commands/demo.js'),
}

export const doctor: CommandRow = {
  name: 'doctor',
  summary: 'check the set-up: config, trust, store, sources, port',
  details:
    'Prints one line for each check with ok or problem, and the next command to run. Nothing is changed; servers and other sources of a trusted config are started and closed again. Exit code 1 if there is a problem. With --json: an array of objects with check, status, message and next.',
  options: [{ flags: '--wait <seconds>', description: 'how long to wait for slow sources; default 10' }],
  examples: ['toolcrib doctor', 'toolcrib doctor --wait 60 --json'],
  load: () => import('../commands/doctor.js'),
}

export const completion: CommandRow = {
  name: 'completion',
  summary: 'print a script that completes commands in your shell',
  details:
    'Completes commands, options, and the names of tools and servers that the config and the record have; no server is started. To load the script: source <(toolcrib completion bash), the same for zsh, and in fish: toolcrib completion fish | source.',
  arguments: [{ name: '[shell]', description: 'bash, zsh or fish', completes: ['bash', 'zsh', 'fish'] }],
  options: [
    {
      flags: '--names <of>',
      description: 'print the names of tools, servers or secrets instead of a script',
    },
  ],
  examples: ['source <(toolcrib completion bash)', 'toolcrib completion --names servers'],
  load: () => import('../commands/completion.js'),
}

export const help: CommandRow = {
  name: 'help',
  summary: 'print all commands, or the details of one',
  details: 'Prints the same text as --help after the name of the command.',
  arguments: [{ name: '[command...]', description: 'one or two words, for example call or tools show' }],
  examples: ['toolcrib help', 'toolcrib help call', 'toolcrib help tools search'],
  load: () => import('../commands/help.js'),
}
