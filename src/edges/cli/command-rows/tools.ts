import type { CommandRow } from '../program/command.js'

export const tools: CommandRow = {
  name: 'tools',
  summary: 'list the tools',
  details:
    'Reads the config and the modules it names; no store is opened. With --json: tool_declaration records.',
  examples: ['toolcrib tools', 'toolcrib tools --json'],
  load: () => import('../commands/tools/tools.js'),
}

export const toolsShow: CommandRow = {
  name: 'tools show',
  summary: 'show all about one tool',
  details:
    'Its schema, its facts and where each comes from, what its executor can do, its risks. With --json: an object with declaration, interface, execution_profile, permission_profile and fingerprint.',
  arguments: [{ name: '<name>', description: 'any of the names of the tool', completes: 'tools' }],
  examples: ['toolcrib tools show math.add'],
  load: () => import('../commands/tools/tools-show.js'),
}

export const toolsSearch: CommandRow = {
  name: 'tools search',
  summary: 'find tools by words for what they should do',
  details:
    'The search that agents have, over what the surface of the config lets a caller find: what a rule denies is neither found nor counted. A tool needs not have all words, but those with a + before them; select: finds tools by their very names, with commas between, and a name that no tool has makes the exit code 2. Each line has a score from 0 to 1, the tool, and how its description begins; below it what was found where. With --json: the tool_search_result record.',
  arguments: [
    { name: '<words...>', description: 'what the tool should do, in any words; or select:name,name' },
  ],
  options: [{ flags: '--limit <count>', description: 'at most this many tools; 5 unless said' }],
  examples: [
    'toolcrib tools search add two numbers',
    'toolcrib tools search +note keep a text',
    'toolcrib tools search select:math.add,notes.write --json',
  ],
  load: () => import('../commands/tools/tools-search.js'),
}

export const toolsBudget: CommandRow = {
  name: 'tools budget',
  summary: 'show what each tool costs, and what deferral saves',
  details:
    'Tokens as o200k_base counts them, of each tool as it is sent: name, description and schema. The budget is --tokens, or surface.deferral.budgetTokens of the config, or 10,000. Shown is what a first prompt holds; tools that a caller used lately stay loaded too, as far as the budget has room. No store is opened. With --json: an object with budget_tokens, the totals, and tools, the most expensive first.',
  options: [
    { flags: '--tokens <count>', description: 'try this budget, not the one of the config' },
    { flags: '--all', description: 'every tool, not only the 12 most expensive' },
  ],
  examples: ['toolcrib tools budget', 'toolcrib tools budget --tokens 2000'],
  load: () => import('../commands/tools/tools-budget.js'),
}
