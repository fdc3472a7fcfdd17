import type { ArgumentRow, CommandRow } from '../program/command.js'

const ARTIFACT: ArgumentRow = {
  name: '<artifact>',
  description: 'the id of the artifact, a unique part of it, or "last"',
}

export const artifacts: CommandRow = {
  name: 'artifacts',
  summary: 'list the artifacts of calls',
  details:
    'Prints the id, name, number of versions, time, size and type of the latest version, and the tool of each artifact, the newest last. With --json: one toolcrib_artifact record per line.',
  options: [
    { flags: '--tool <tool>', description: 'only artifacts of this tool' },
    { flags: '--session <id>', description: 'only artifacts of this session' },
    { flags: '--name <name>', description: 'only artifacts with this name' },
    { flags: '--since <time>', description: 'only artifacts changed since: 30s, 10m, 2h, 7d, or a date' },
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
  summary: 'show one artifact in detail',
  details:
    'Shows its versions with digest, preview and origin, its hand-offs, and the files it was exported to. With --json: the toolcrib_artifact record.',
  arguments: [ARTIFACT],
  examples: ['toolcrib artifacts show last'],
  load: () => import('../commands/record/artifacts-show.js'),
}

export const artifactsExport: CommandRow = {
  name: 'artifacts export',
  summary: 'write an artifact to a file',
  details:
    'Writes the exact bytes, verified against their digest, and records the file. An existing file is replaced only with --force, and links are never followed. With --json: the export ref.',
  arguments: [ARTIFACT],
  options: [
    { flags: '--to <file>', description: 'the file to write; default: its own name in this folder' },
    { flags: '--number <version>', description: 'this version instead of the newest' },
    { flags: '--force', description: 'replace an existing file' },
  ],
  examples: [
    'toolcrib artifacts export last',
    'toolcrib artifacts export last --to reports/july.csv --force',
  ],
  load: () => import('../commands/record/artifacts-export.js'),
}
