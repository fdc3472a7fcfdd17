import type { ContentKind } from '../content-kind.js'
import { kindOfName } from './kind-of-name.js'

const programs: Readonly<Partial<Record<ContentKind, string>>> = {
  listing: 'ls find fd fdfind tree locate grep egrep fgrep rg ag ack du which whereis compgen',
  table: 'ps df lsof netstat ss free lsblk top',
  diff: 'diff colordiff interdiff',
  log: 'npm pnpm yarn bun node make cmake ninja cargo pytest tox jest vitest mvn gradle journalctl dmesg tsc eslint pip poetry apt apt-get brew terraform ansible-playbook rspec phpunit ctest bazel',
}

const kindOfProgram = new Map(
  Object.entries(programs).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as ContentKind] as const),
  ),
)

const subcommands: Readonly<Record<string, readonly (readonly [RegExp, ContentKind])[]>> = {
  git: [
    [/^(?:diff|show)\b(?!.*--(?:stat|name-only|name-status))/, 'diff'],
    [/^(?:log|reflog|shortlog|blame)\b/, 'text'],
    [/^(?:ls-files|ls-tree|branch|tag|grep|diff .*--name-only)\b/, 'listing'],
  ],
  docker: [
    [/^(?:(?:container |image )?ls|ps|images|stats)\b/, 'table'],
    [/^(?:logs|build|compose)\b/, 'log'],
  ],
  kubectl: [
    [/^get\b(?!.*-o)/, 'table'],
    [/^logs\b/, 'log'],
  ],
  go: [[/^(?:test|build|vet)\b/, 'log']],
  python: [[/^-m pytest\b/, 'log']],
}

/** The usual output kind of the last program in a command line. A guess, for texts that show no kind themselves. */
export function kindOfCommand(command: string): ContentKind | undefined {
  const words = lastProgram(command)
  const program = words[0]?.slice(words[0].lastIndexOf('/') + 1) ?? ''
  const rest = words.slice(1).join(' ')
  if (Object.hasOwn(subcommands, program))
    return subcommands[program]!.find(([pattern]) => pattern.test(rest))?.[1]
  if (/^(?:cat|head|tail|less|more|bat)$/.test(program)) return kindOfName(words.at(-1)!.replace(/["']/g, ''))
  return kindOfProgram.get(program)
}

/** Skips filters that keep the kind of their input, back to the program before them. */
function lastProgram(command: string): string[] {
  const last = command.split(/&&|\|\||;|\n/).at(-1) ?? ''
  const stages = last.split('|').map((stage) =>
    stage
      .trim()
      .split(/\s+/)
      .filter((word, index, all) => !isPrefix(word, all.slice(0, index))),
  )
  while (stages.length > 1 && /^(?:head|tail|sort|uniq|less|cat|tee)$/.test(stages.at(-1)![0] ?? ''))
    stages.pop()
  return stages.at(-1) ?? []
}

/** Variables and wrappers before a program. */
function isPrefix(word: string, before: readonly string[]): boolean {
  const isFirst = before.every((one) => isPrefixWord(one))
  return isFirst && isPrefixWord(word)
}

function isPrefixWord(word: string): boolean {
  return /^(?:\w+=.*|sudo|env|time|nice|nohup|command|npx)$/.test(word)
}
