import type { CommandRow } from '../program/command.js'

export const shellDoubts: CommandRow = {
  name: 'shell doubts',
  summary: 'list programs that did more than read although that was proven, or trust them again',
  details:
    'A command that is proven to only read runs where it can only read. If it tries to do more, the sandbox prevents it, and no command of its program counts as proven from then on: it needs approval like any other. Look at what happened, then use --clear to trust the proof again. With --json: a list.',
  arguments: [{ name: '[program]', description: 'the program to clear; default: all of them' }],
  options: [{ flags: '--clear', description: 'trust the proofs about the program again' }],
  examples: ['toolcrib shell doubts', 'toolcrib shell doubts tree --clear'],
  load: () => import('../commands/policy/shell-doubts.js'),
}

export const shellRead: CommandRow = {
  name: 'shell read',
  summary: 'show what a shell command would do, without running it',
  details:
    'Shows whether the command only reads; what it reads, writes, deletes and runs; its hosts; and every command inside it. Paths at or below the folder are shown relative to it; wildcards stay, and ** stands for parts that only the shell knows. No config and no store is needed. With --json: one object. With --jsonl: one object for each line; a line that cannot be read gives an object with "error", and the exit code is 1.',
  arguments: [{ name: '[command...]', description: 'the command, preferably quoted as one word' }],
  options: [
    {
      flags: '--jsonl',
      description: 'read lines like {"command": "ls", "cwd": "src", "shell": "sh"} from stdin',
    },
    { flags: '--cwd <folder>', description: 'the folder of the command; default: the current folder' },
    {
      flags: '--shell <shell>',
      description: 'the shell of the command: bash (default) or sh',
    },
  ],
  examples: [
    `toolcrib shell read 'cat .env | sort > x'`,
    `toolcrib shell read --json 'sudo rm -rf build'`,
    `echo '{"command": "git status"}' | toolcrib shell read --jsonl`,
  ],
  load: () => import('../commands/policy/shell-read.js'),
}
