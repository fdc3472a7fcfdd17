import type { CommandRow } from '../program/command.js'

export const shellRead: CommandRow = {
  name: 'shell read',
  summary: 'tell what a shell command would do, without running it',
  details:
    'Whether it only reads, what it reads, writes, deletes and runs, which hosts it talks to, every command inside of it. Paths at or below the folder are shown without it; wildcards stay, and ** stands for what only the shell knows. Neither config nor store is needed. With --json: one object. With --jsonl: one object for each line; a line that cannot be read gives an object with "error", and the exit code is 1.',
  arguments: [{ name: '[command...]', description: 'the command, best in quotes as one word' }],
  options: [
    {
      flags: '--jsonl',
      description: 'read lines like {"command": "ls", "cwd": "src", "shell": "sh"} from stdin',
    },
    { flags: '--cwd <folder>', description: 'where it would run; the current folder by default' },
    {
      flags: '--shell <shell>',
      description: 'the shell that would run it: bash, which is the default, or sh',
    },
  ],
  examples: [
    `toolcrib shell read 'cat .env | sort > x'`,
    `toolcrib shell read --json 'sudo rm -rf build'`,
    `echo '{"command": "git status"}' | toolcrib shell read --jsonl`,
  ],
  load: () => import('../commands/policy/shell-read.js'),
}
