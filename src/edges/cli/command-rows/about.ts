import type { CommandRow } from '../program/command.js'

export const schema: CommandRow = {
  name: 'schema',
  summary: 'print the JSON Schema of a record or of the config',
  arguments: [{ name: '[object]', description: 'such as tool_result, or config; absent: the list of names' }],
  examples: ['toolcrib schema', 'toolcrib schema tool_result', 'toolcrib schema config'],
  load: () => import('../commands/tools/schema.js'),
}

export const version: CommandRow = {
  name: 'version',
  summary: 'print what this is and what it runs on',
  examples: ['toolcrib version', 'toolcrib version --json'],
  load: () => import('../commands/version.js'),
}

export const demo: CommandRow = {
  name: 'demo',
  summary: 'try it on a few example tools; nothing is kept',
  details:
    'On a terminal a menu; elsewhere a tour of a few calls and their stories. With --json: the tour, one story per line.',
  examples: ['toolcrib demo'],
  load: () => import('../commands/demo.js'),
}

export const doctor: CommandRow = {
  name: 'doctor',
  summary: 'check the set-up: config, trust, store, servers, port',
  details:
    'One line for each check with ok or problem, and the command to type next. Nothing is changed; servers of a trusted config are started and closed again. Exit code 1 when there is a problem. With --json: an array of objects with check, status, message and next.',
  options: [{ flags: '--wait <seconds>', description: 'wait so long for slow servers; 10 unless said' }],
  examples: ['toolcrib doctor', 'toolcrib doctor --wait 60 --json'],
  load: () => import('../commands/doctor.js'),
}

export const completion: CommandRow = {
  name: 'completion',
  summary: 'print a script that completes commands in your shell',
  details:
    'Commands, options, and the names of tools and servers as far as the config and the record know them: nothing is started for it. To load the script: source <(toolcrib completion bash), the same for zsh, and in fish: toolcrib completion fish | source.',
  arguments: [{ name: '[shell]', description: 'bash, zsh or fish', completes: ['bash', 'zsh', 'fish'] }],
  options: [{ flags: '--names <of>', description: 'instead of a script the names of tools or servers' }],
  examples: ['source <(toolcrib completion bash)', 'toolcrib completion --names servers'],
  load: () => import('../commands/completion.js'),
}

export const help: CommandRow = {
  name: 'help',
  summary: 'print the commands, or all about one of them',
  details: 'The same text as with --help after the name of the command.',
  arguments: [{ name: '[command...]', description: 'one or two words, such as call, or servers add' }],
  examples: ['toolcrib help', 'toolcrib help call', 'toolcrib help tools search'],
  load: () => import('../commands/help.js'),
}
