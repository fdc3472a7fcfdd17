import type { ArgumentRow, CommandRow } from '../program/command.js'

const ARTIFACT: ArgumentRow = {
  name: '<artifact>',
  description: 'the id of the artifact, a part of it that no other has, or "last"',
}

export const artifacts: CommandRow = {
  name: 'artifacts',
  summary: 'list the files that calls delivered',
  details:
    'Of each the id, the name, how many versions there are, when the last came, its size and type, and the tool it came from, the newest last. With --json: one toolcrib_artifact record per line.',
  options: [
    { flags: '--tool <tool>', description: 'only what this tool delivered' },
    { flags: '--session <id>', description: 'only of this session' },
    { flags: '--name <name>', description: 'only of this name' },
    { flags: '--since <time>', description: 'only what changed since: 30s, 10m, 2h, 7d, or a date' },
  ],
  examples: ['toolcrib artifacts', 'toolcrib artifacts --since 7d --json'],
  load: () => import('../commands/record/artifacts.js'),
}

export const artifactsList: CommandRow = {
  ...artifacts,
  name: 'artifacts list',
  summary: 'the same as "artifacts"',
  examples: ['toolcrib artifacts list'],
}

export const artifactsShow: CommandRow = {
  name: 'artifacts show',
  summary: 'show all about one artifact',
  details:
    'Its versions with digest, preview and where each came from, who took it up, and the files it was exported to. With --json: the toolcrib_artifact record.',
  arguments: [ARTIFACT],
  examples: ['toolcrib artifacts show last'],
  load: () => import('../commands/record/artifacts-show.js'),
}

export const artifactsExport: CommandRow = {
  name: 'artifacts export',
  summary: 'write an artifact to a file',
  details:
    'The exact bytes, checked against their digest; the record then names the file. A file that is there is left alone unless --force is given, and a link is never followed. With --json: the export ref.',
  arguments: [ARTIFACT],
  options: [
    { flags: '--to <file>', description: 'the file to write; its own name, here, unless given' },
    { flags: '--number <version>', description: 'this version, not the newest' },
    { flags: '--force', description: 'replace a file that is there' },
  ],
  examples: [
    'toolcrib artifacts export last',
    'toolcrib artifacts export last --to reports/july.csv --force',
  ],
  load: () => import('../commands/record/artifacts-export.js'),
}
