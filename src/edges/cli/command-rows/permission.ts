import type { CommandRow } from '../program/command.js'
import { ruleOptions } from '../rules/rule-option-rows.js'

export const explain: CommandRow = {
  name: 'explain',
  summary: 'say what would be decided about a call, and why',
  details:
    'Nothing runs and no store is opened. The tool may be one of yours or one that coding agents know, such as Bash, Read, Edit or WebFetch. With --jsonl each line of stdin is {"tool": …, "input": …} and is answered by one line: useful in the hooks of other agents.',
  arguments: [
    { name: '[tool]', description: 'any of the names of the tool', completes: 'tools' },
    { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
  ],
  options: [
    { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
    { flags: '--jsonl', description: 'judge one call per line of stdin' },
    ...ruleOptions,
    { flags: '--actor <name>', description: 'who would call' },
    { flags: '--role <name>', description: 'in which role' },
    { flags: '--session <id>', description: 'in which session' },
  ],
  examples: [
    `toolcrib explain Bash --input '{"command": "git push"}'`,
    'toolcrib explain files.read path=.env --deny "Read(.env)"',
    'toolcrib explain --jsonl --rules rules.yaml < calls.jsonl',
  ],
  load: () => import('../commands/policy/explain.js'),
}

export const rules: CommandRow = {
  name: 'rules',
  summary: 'list the permission rules',
  details:
    'Rules come from /etc/toolcrib/policy.yaml, from rules.yaml in your settings folder, from the permission block of the config, from toolcrib.local.yaml beside it, and from options. The strictest wins over all of them. Exit code 1 when a rule cannot be read.',
  options: ruleOptions,
  examples: ['toolcrib rules', 'toolcrib rules --json'],
  load: () => import('../commands/policy/rules.js'),
}

export const rulesAdd: CommandRow = {
  name: 'rules add',
  summary: 'add a rule to one of your files',
  details: 'The file is replaced in one step; comments stay. What loosens needs a person at a terminal.',
  arguments: [
    { name: '<behavior>', description: 'allow, ask or deny', completes: ['allow', 'ask', 'deny'] },
    { name: '<rule>', description: 'tool or tool(specifier)' },
  ],
  options: [{ flags: '--to <where>', description: 'local, project or user', default: 'local' }],
  examples: [
    'toolcrib rules add deny "Read(.env)"',
    'toolcrib rules add allow "Bash(npm run test:*)" --to user',
  ],
  widens: () => true,
  load: () => import('../commands/policy/rules-add.js'),
}

export const rulesRemove: CommandRow = {
  name: 'rules remove',
  summary: 'remove a rule from one of your files',
  arguments: [
    { name: '<behavior>', description: 'allow, ask or deny', completes: ['allow', 'ask', 'deny'] },
    { name: '<rule>', description: 'as "toolcrib rules" shows it' },
  ],
  options: [{ flags: '--to <where>', description: 'local, project or user', default: 'local' }],
  examples: ['toolcrib rules remove allow "Bash(npm run test:*)"'],
  widens: () => true,
  load: () => import('../commands/policy/rules-remove.js'),
}

export const trust: CommandRow = {
  name: 'trust',
  summary: 'let this project run code and loosen what may run',
  details:
    'Until then, nothing that a config names is imported, run or asked: no tool module, no hook, no MCP server, nor the config itself where it is a program; and its rules may refuse and ask, but not allow. The files are shown with their hashes and read as text: nothing of them runs. Trust holds for the config and for every file that it names, as they are now: any change of one asks again. Only a person at a terminal can give it; --yes is for scripts of your own and trusts code, but nothing that loosens the rules.',
  arguments: [
    {
      name: '[folder]',
      description:
        'a folder whose files may name programs that commands run; absent: the files of this project',
    },
  ],
  options: [
    { flags: '--yes', description: 'trust the code without asking; not what loosens the rules' },
    { flags: '--revoke', description: 'take the trust back' },
    { flags: '--all', description: 'name every installed package whose files are trusted' },
  ],
  examples: [
    'toolcrib trust',
    'toolcrib trust --yes',
    'toolcrib trust --revoke',
    'toolcrib trust ~/work/site',
  ],
  widens: ({ revoke }) => revoke !== true,
  load: () => import('../commands/policy/trust.js'),
}

export const importRules: CommandRow = {
  name: 'import',
  summary: 'take over rules and hooks of a coding agent',
  details:
    'Reads the permissions and hooks of a .claude/settings.json; what has no meaning here is named and left out. A hook that breaks counts as an ask here; with --keep-going it lets the call go on, as it did there.',
  arguments: [{ name: '[file]', description: 'the settings; absent: .claude/settings.json' }],
  options: [
    { flags: '--to <where>', description: 'local, project or user', default: 'local' },
    { flags: '--keep-going', description: 'imported hooks carry onFailure: continue' },
    { flags: '--dry-run', description: 'only say what would be taken over' },
  ],
  examples: ['toolcrib import --dry-run', 'toolcrib import ~/.claude/settings.json --to user'],
  widens: ({ dryRun }) => dryRun !== true,
  load: () => import('../commands/policy/import.js'),
}
