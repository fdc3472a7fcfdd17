import type { CommandRow } from './command.js'
import { commandGroups, commands, commonOptions, sections } from './commands.js'

/** The first word of a command: its own name, or the one of the command or group that it is below. */
export function firstWord({ name }: Pick<CommandRow, 'name'>): string {
  return name.split(' ')[0]!
}

/** What may be the first word of a command line, in the order of the table. */
export const firstWords: readonly string[] = [...new Set(commands.map(firstWord))]

/** Every command, by section. Each command's own help has its options. */
export function rootHelp(): string {
  const terms = new Map(commands.map((row) => [row, rootTerm(row)]))
  const width = Math.max(...[...terms.values()].map(({ length }) => length)) + 2
  const flags = [...commonOptions.map((option) => option.flags), '--version', '--help']
  return [
    'Usage: toolcrib <command> [options]',
    ...sections.flatMap(({ title, commands: rows }) => [
      '',
      title,
      ...[...new Set(rows.map((row) => terms.get(row)!))].map(
        (term) => `  ${term.padEnd(width)}${rootSummary(term)}`,
      ),
    ]),
    '',
    `Options: ${flags.join(', ')}`,
    'Details of one command: toolcrib help <command>',
    '',
  ].join('\n')
}

/** The summary of a command or a group, and the commands below it. */
function rootSummary(term: string): string {
  const below = commandsBelow(term)
  const own = commands.find(({ name }) => name === term)
  if (!own) return `${commandGroups[term]}: ${below.join(', ')}`
  return below.length === 0 ? own.summary : `${own.summary}; also ${below.join(', ')}`
}

/** The command or the group in whose line a command is listed; a group of one command has no line. */
function rootTerm({ name }: CommandRow): string {
  const first = firstWord({ name })
  return commands.some((each) => each.name === first) || commandsBelow(first).length > 1 ? first : name
}

function commandsBelow(term: string): string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${term} `) ? [name.slice(term.length + 1)] : []))
}
