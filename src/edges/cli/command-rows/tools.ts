import type { CommandRow } from '../command.js'

export const tools: CommandRow = {
  name: 'tools',
  summary: 'list the tools; "tools show <name>" has the details',
  details:
    'Reads the config and the modules it names; no store is opened. With --json: tool_declaration records.',
  examples: ['toolcrib tools', 'toolcrib tools --json'],
  load: () => import('../commands/tools.js'),
}

export const toolsShow: CommandRow = {
  name: 'tools show',
  summary: 'show all about one tool',
  details:
    'Its schema, its facts and where each comes from, what its executor can do, its risks. With --json: an object with declaration, interface, execution_profile, permission_profile and fingerprint.',
  arguments: [{ name: '<name>', description: 'any of the names of the tool' }],
  examples: ['toolcrib tools show math.add'],
  load: () => import('../commands/tools-show.js'),
}
