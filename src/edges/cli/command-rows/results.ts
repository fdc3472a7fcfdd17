import type { CommandRow } from '../program/command.js'

export const read: CommandRow = {
  name: 'read',
  summary: 'read a result that was too long to show',
  details:
    'Gives a page of what is kept under a ref (toolcrib://…), or of the result of a call, and says how to go on. With --all: every byte, as it is kept, for a file or a pipe. With --out: the same into a file, which must not be there yet. Of a picture or another file that is no text it says what it is and how to save it. With --json: the page as an object.',
  arguments: [{ name: '<ref>', description: 'a ref, the id of a call or artifact, a part of it, or "last"' }],
  options: [
    { flags: '--line <number>', description: 'first line, from 1; below 0 from the end' },
    { flags: '--lines <count>', description: 'how many lines' },
    { flags: '--offset <bytes>', description: 'first byte, from 0; with --pointer the first item' },
    { flags: '--length <bytes>', description: 'how many bytes; with --pointer how many items' },
    { flags: '--pointer <pointer>', description: 'the JSON value there, such as /items/0' },
    { flags: '--search <text>', description: 'the lines with this text' },
    { flags: '--regex', description: 'the text to search for is a regular expression' },
    { flags: '-i, --ignore-case', description: 'search without regard to case' },
    { flags: '--context <lines>', description: 'lines around each match' },
    { flags: '--limit <count>', description: 'at most this many matches' },
    { flags: '--after <bytes>', description: 'go on searching from this byte' },
    { flags: '--all', description: 'everything, as it is' },
    { flags: '--out <file>', description: 'everything, as it is, into a new file' },
    { flags: '--actor <name>', description: 'who reads: what is protected is for named actors' },
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
  summary: 'remove kept bytes whose time is over',
  details:
    'Results that are kept by reference have a time (results.retainDays). What is older loses its bytes and keeps its record. With --json: an object with expired, removed and bytes.',
  examples: ['toolcrib sweep', 'toolcrib sweep --json'],
  load: () => import('../commands/record/sweep.js'),
}
