import type { CommandRow } from '../program/command.js'
import { ruleOptions } from './rule-option-rows.js'

export const explain: CommandRow = {
  name: 'explain',
  summary: 'show how a call would be decided, and why',
  details:
    'Nothing runs and no store is opened. The tool is one of your tools or a tool of coding agents, for example Bash, Read, Edit or WebFetch. With --jsonl each line of stdin is {"tool": …, "input": …} and gets one line as its answer: useful in the hooks of other agents.',
  arguments: [
    { name: '[tool]', description: 'any name of the tool', completes: 'tools' },
    { name: '[pairs...]', description: 'the input: key=value, key:=json, a.b=value' },
  ],
  options: [
    { flags: '-i, --input <json>', description: 'the whole input: JSON, @file, or - for stdin' },
    { flags: '--jsonl', description: 'evaluate one call per line of stdin' },
    ...ruleOptions,
    { flags: '--actor <name>', description: 'the caller' },
    { flags: '--role <name>', description: 'the role of the caller' },
    { flags: '--session <id>', description: 'the session of the call' },
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
    'Rules come from /etc/toolcrib/policy.yaml, from rules.yaml in your settings folder, from the permission block of the config, from toolcrib.local.yaml beside it, and from options. The strictest rule wins. Exit code 1 if a rule cannot be read.',
  options: ruleOptions,
  examples: ['toolcrib rules', 'toolcrib rules --json'],
  load: () => import('../commands/policy/rules.js'),
}

export const rulesPreview: CommandRow = {
  name: 'rules preview',
  summary: 'show which of the last calls changed rules would decide otherwise',
  details:
    'Judges the recorded calls now, with the rules as they are and with the changes, and changes nothing. Inputs are masked as they are recorded: a rule about a masked value does not find it. Engines, classifiers and hooks are not asked, and rules of sessions are left out. Exit code 1 if a change cannot be made. With --json: an object with examined, changed and problems.',
  options: [
    { flags: '--allow <rule...>', description: 'add these rules that let a call run' },
    { flags: '--ask <rule...>', description: 'add these rules that require approval' },
    { flags: '--deny <rule...>', description: 'add these rules that deny a call' },
    { flags: '--remove <rule...>', description: 'without these rules: a behavior and a rule, "deny Bash"' },
    { flags: '-n, --limit <count>', description: 'how many calls, at most 1000; default 1000' },
  ],
  examples: [
    `toolcrib rules preview --deny 'Bash(git push:*)'`,
    `toolcrib rules preview --remove 'ask mail.send' --allow 'mail.send(to ~ *@example.com)'`,
  ],
  load: () => import('../commands/policy/rules-preview.js'),
}

export const rulesAdd: CommandRow = {
  name: 'rules add',
  summary: 'add a rule to one of your files',
  details:
    'The file is replaced in one step; comments stay. A change that loosens the rules needs a person at a terminal.',
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
  summary: 'trust the code and the rules of this project',
  details:
    'Before that, nothing that a config names is imported, run or called: no tool module, no hook, no MCP server or other source, and not the config itself if it is a program. Its rules can deny and ask, but not allow. The command shows the files with their hashes and reads them as text; it runs none of them. Trust applies to the config and to every file that it names, in their current state: after any change, trust is required again. Only a person at a terminal can grant trust; --yes is for your own scripts and trusts the code, but nothing that loosens the rules.',
  arguments: [
    {
      name: '[folder]',
      description:
        'a folder whose files may name programs that commands run; without it: the files of this project',
    },
  ],
  options: [
    { flags: '--yes', description: 'trust the code without asking; not what loosens the rules' },
    { flags: '--revoke', description: 'revoke the trust' },
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
  summary: 'import rules and hooks of a coding agent',
  details:
    'Reads the permissions and hooks of a .claude/settings.json; entries without a meaning here are named and skipped. A hook that fails counts as an ask; with --keep-going the call continues, as in the coding agent.',
  arguments: [{ name: '[file]', description: 'the settings; default: .claude/settings.json' }],
  options: [
    { flags: '--to <where>', description: 'local, project or user', default: 'local' },
    { flags: '--keep-going', description: 'imported hooks get onFailure: continue' },
    { flags: '--dry-run', description: 'only print what would be imported' },
  ],
  examples: ['toolcrib import --dry-run', 'toolcrib import ~/.claude/settings.json --to user'],
  widens: ({ dryRun }) => dryRun !== true,
  load: () => import('../commands/policy/import.js'),
}
