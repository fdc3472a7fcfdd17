import type { CommandRow } from '../program/command.js'

export const tools: CommandRow = {
  name: 'tools',
  summary: 'list tools',
  details:
    'Reads the config and the modules that it names; no store is opened. With --json: tool_declaration records.',
  options: [{ flags: '--agent <name>', description: 'only the tools of this agent file, with its demands' }],
  examples: ['toolcrib tools', 'toolcrib tools --json', 'toolcrib tools --agent support-agent'],
  load: () => import('../commands/tools/tools.js'),
}

export const toolsShow: CommandRow = {
  name: 'tools show',
  summary: 'show one tool in detail',
  details:
    'Shows its schema, its facts and their origins, the capabilities of its executor, and its risks. With --json: an object with declaration, interface, execution_profile, permission_profile and fingerprint.',
  arguments: [{ name: '<name>', description: 'any name of the tool', completes: 'tools' }],
  examples: ['toolcrib tools show math.add'],
  load: () => import('../commands/tools/tools-show.js'),
}

export const toolsSearch: CommandRow = {
  name: 'tools search',
  summary: 'find tools by words that describe them',
  details:
    'Uses the search that agents use, over the tools that the surface of the config lets a caller find: denied tools are neither found nor counted. A tool must match all words with a + before them, but not all other words. select: finds tools by their exact names, separated by commas; an unknown name makes the exit code 2. Each line has a score from 0 to 1, the tool, and the beginning of its description; the line below shows what matched where. With --json: the tool_search_result record.',
  arguments: [
    { name: '<words...>', description: 'a description of the tool in any words; or select:name,name' },
  ],
  options: [{ flags: '--limit <count>', description: 'at most this many tools; default 5' }],
  examples: [
    'toolcrib tools search add two numbers',
    'toolcrib tools search +note keep a text',
    'toolcrib tools search select:math.add,notes.write --json',
  ],
  load: () => import('../commands/tools/tools-search.js'),
}

export const toolsBudget: CommandRow = {
  name: 'tools budget',
  summary: 'show the tokens of each tool, and what deferral saves',
  details:
    'Counts tokens as o200k_base does, for each tool as it is sent: name, description and schema. The budget is --tokens, or surface.deferral.budgetTokens of the config, or 10,000. The output shows a first prompt; tools that a caller used recently also stay loaded, as far as the budget allows. No store is opened. With --json: an object with budget_tokens, the totals, and tools, the most expensive first.',
  options: [
    { flags: '--tokens <count>', description: 'use this budget instead of the one of the config' },
    { flags: '--all', description: 'all tools, not only the 12 most expensive' },
  ],
  examples: ['toolcrib tools budget', 'toolcrib tools budget --tokens 2000'],
  load: () => import('../commands/tools/tools-budget.js'),
}

export const toolsHistory: CommandRow = {
  name: 'tools history',
  summary: 'show every recorded version of a tool, and what changed',
  details:
    'The newest version comes first, with its fingerprint, the time in which it was listed, and its differences from the version before it. The record has tools that are gone, too. With --json: an array of versions.',
  arguments: [{ name: '<name>', description: 'the id of the tool', completes: 'tools' }],
  examples: ['toolcrib tools history math.add', 'toolcrib tools history mcp.notes.write --json'],
  load: () => import('../commands/tools/tools-history.js'),
}

export const surfaces: CommandRow = {
  name: 'surfaces',
  summary: 'list the surfaces',
  details:
    'The names that clients can use: "default", those under serve.surfaces of the config, and the agents of sources. With --json: an array of objects with name, kind, source and problem.',
  examples: ['toolcrib surfaces', 'toolcrib surfaces --json'],
  load: () => import('../commands/tools/surfaces.js'),
}

export const surfacesPreview: CommandRow = {
  name: 'surfaces preview',
  summary: 'show what a caller of a surface sees, and why not the rest',
  details:
    'Prints each tool with its visibility before the first call, its tokens, and the reason: loaded, unlisted (it can be called by callers that know it), deferred, hidden or denied by a rule. A surface is one that "toolcrib surfaces" lists. The budget is the one of "toolcrib serve". No store is opened. With --json: an object with the totals and items.',
  arguments: [{ name: '[name]', description: 'the name of the surface; default: default' }],
  examples: ['toolcrib surfaces preview', 'toolcrib surfaces preview support-agent --json'],
  load: () => import('../commands/tools/surfaces-preview.js'),
}
