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

export const sweep: CommandRow = {
  name: 'sweep',
  summary: 'remove the bytes of expired results',
  details:
    'Results that are stored by reference expire (results.retainDays). The bytes of an expired result are removed; its record stays. With --json: an object with expired, removed and bytes.',
  examples: ['toolcrib sweep', 'toolcrib sweep --json'],
  load: () => import('../commands/record/sweep.js'),
}
