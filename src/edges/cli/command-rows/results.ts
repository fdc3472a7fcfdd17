import type { CommandRow } from '../program/command.js'

export const read: CommandRow = {
  name: 'read',
  summary: 'read a result that was too long to show',
  details:
    'Prints a page of the content of a ref (toolcrib://…), or of the result of a call, and how to continue. With --all: every stored byte, for a file or a pipe. With --out: the same into a new file. For an image or another file that is not text, it prints the type and how to save it. With --json: the page as an object.',
  arguments: [{ name: '<ref>', description: 'a ref, the id of a call or artifact, a part of it, or "last"' }],
  options: [
    { flags: '--line <number>', description: 'first line, from 1; negative: from the end' },
    { flags: '--lines <count>', description: 'number of lines' },
    { flags: '--offset <bytes>', description: 'first byte, from 0; with --pointer the first item' },
    { flags: '--length <bytes>', description: 'number of bytes; with --pointer the number of items' },
    { flags: '--pointer <pointer>', description: 'the JSON value at this pointer, for example /items/0' },
    { flags: '--search <text>', description: 'the lines with this text' },
    { flags: '--regex', description: 'the text to search for is a regular expression' },
    { flags: '-i, --ignore-case', description: 'ignore case in the search' },
    { flags: '--context <lines>', description: 'lines around each match' },
    { flags: '--limit <count>', description: 'at most this many matches' },
    { flags: '--after <bytes>', description: 'continue the search at this byte' },
    { flags: '--all', description: 'all bytes, unchanged' },
    { flags: '--out <file>', description: 'all bytes, unchanged, into a new file' },
    { flags: '--actor <name>', description: 'the reader; only named actors can read protected content' },
  ],
  examples: [
    'toolcrib read last --lines 40',
    'toolcrib read last --search error -i',
    'toolcrib read last --all > output.txt',
    'toolcrib read last --out picture.png',
  ],
  load: () => import('../commands/record/read.js'),
}

export const deleteRecords: CommandRow = {
  name: 'delete',
  summary: 'delete the records of calls for good',
  details:
    'Deletes the events, inputs, results and approvals of calls that have ended, and stored bytes that nothing else refers to. Of each call an envelope stays, a record without content: which tool, when, a digest of what was deleted, who deleted it and why; "show" prints it. Open calls and artifacts stay. The number is shown and asked about first. With --envelopes it deletes only the envelopes of calls that were deleted before a time. With --json: an object with deletion_id, deleted, skipped_open, surfaces and bytes; of envelopes, with deletion_id and deleted.',
  options: [
    {
      flags: '--before <time>',
      description: 'calls that began before: 12h, 30d ago, or a date like 2026-07-30',
    },
    { flags: '--session <id>', description: 'only calls of this session' },
    { flags: '--actor <name>', description: 'only calls of this caller' },
    {
      flags: '--envelopes',
      description: 'the envelopes of calls that were deleted before the time, and no records',
    },
    { flags: '--reason <text>', description: 'why; stays in the envelopes and the event' },
    { flags: '--dry-run', description: 'only print how many calls match' },
    { flags: '-y, --yes', description: 'do not ask' },
  ],
  examples: [
    'toolcrib delete --before 30d --dry-run',
    'toolcrib delete --session s1 --reason "asked by its user"',
    'toolcrib delete --envelopes --before 365d',
  ],
  widens: ({ dryRun }) => dryRun !== true,
  load: () => import('../commands/record/delete.js'),
}

export const backup: CommandRow = {
  name: 'backup',
  summary: 'copy all records to a folder, while a gateway runs',
  details:
    'Writes a consistent copy of the store, the stored bytes of results and artifacts, and a manifest with the SHA-256 of each file. The folder must be new or empty. Bytes in a bucket (blobs.kind: s3) stay there. The config, its secrets and the key of this user (TOOLCRIB_SEAL_KEY, or seal.key in the data folder) are not part of it. With --json: the manifest without the list of files.',
  arguments: [{ name: '<folder>', description: 'a new folder for the backup' }],
  examples: ['toolcrib backup ./backup-monday'],
  widens: () => true,
  load: () => import('../commands/record/backup.js'),
}

export const restore: CommandRow = {
  name: 'restore',
  summary: 'add what a backup has to the records, while a gateway runs',
  details:
    'Compares every file with the manifest first; a damaged backup changes nothing. A store without records becomes exactly the backup. Otherwise calls, documents and bytes that are missing are added, and nothing is overwritten; calls that were deleted since the backup stay deleted, and tokens that were revoked here stay revoked. Other named tokens of the backup are valid again; the command names them. A restore that was interrupted is repeated. With --json: an object with the counts.',
  arguments: [{ name: '<folder>', description: 'the folder of a backup' }],
  options: [{ flags: '--without-tokens', description: 'leave the named tokens of the backup out' }],
  examples: [
    'toolcrib restore ./backup-monday',
    'toolcrib restore ./backup-monday --without-tokens',
    'toolcrib restore ./backup-monday --store ./other.db',
  ],
  widens: () => true,
  load: () => import('../commands/record/restore.js'),
}

export const sweep: CommandRow = {
  name: 'sweep',
  summary: 'remove the bytes of expired results',
  details:
    'Results that are stored by reference expire (results.retainDays). The bytes of an expired result are removed; its record stays. With --json: an object with expired, removed and bytes.',
  examples: ['toolcrib sweep', 'toolcrib sweep --json'],
  load: () => import('../commands/record/sweep.js'),
}
