import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { readCommand } from '../../../../shell/read-command.js'
import type { ShellKind } from '../../../../shell/shell-kind.js'
import type { ShellContext } from '../../../../shell/shell-reading.js'
import { folderFacts } from '../../../../crib/files/folder-facts.js'
import type { ExitCode, Given } from '../../program/command.js'
import { eachJsonLine } from '../../input/each-json-line.js'
import { wrapText } from '../../terminal/fit-text.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { readingRecord, type ReadingRecord } from '../../record/reading-record.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run({ arguments: words, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const cwd = resolve(typeof options['cwd'] === 'string' ? options['cwd'] : '.')
  const shell = options['shell'] ?? 'bash'
  if (!isShell(shell)) throw usageProblem(`--shell takes bash or sh, not ${oneLine(String(shell))}.`)
  if (options['jsonl'] === true) {
    if (words.length > 0)
      throw usageProblem('--jsonl takes its commands from stdin; leave out the other one.')
    const like = '{"command": "ls -la"}'
    return (await eachJsonLine(terminal, { like, answer: (line) => answerLine(line, { cwd, shell }) }))
      ? 0
      : 1
  }
  const command = words.join(' ')
  if (command.trim() === '') {
    throw usageProblem(`Which command? Give it in quotes: toolcrib shell read 'ls -la'.`)
  }
  const record = recordOf(command, { cwd, shell })
  if (options.json) terminal.printJson(record, 2)
  else printForPeople(record, terminal)
  return 0
}

const home = homedir()

interface Start {
  readonly cwd: string
  readonly shell: ShellKind
}

function isShell(given: unknown): given is ShellKind {
  return given === 'bash' || given === 'sh'
}

function recordOf(command: string, start: Start): ReadingRecord {
  return readingRecord(command, readCommand(command, placeOf(start)), start.cwd)
}

let lastPlace: ShellContext = { cwd: '', home, shell: 'bash', folders: folderFacts }

/** The same object for the same folder and shell: the reader caches what it computed for it. */
function placeOf({ cwd, shell }: Start): ShellContext {
  if (lastPlace.cwd !== cwd || lastPlace.shell !== shell)
    lastPlace = { cwd, home, shell, folders: folderFacts }
  return lastPlace
}

function answerLine(given: Record<string, unknown>, start: Start): ReadingRecord | string {
  const { command, cwd: folder = '.', shell = start.shell } = given
  if (typeof command !== 'string' || command.trim() === '') return 'has no command text'
  if (typeof folder !== 'string') return 'has a cwd that is not text'
  if (!isShell(shell)) return 'has a shell that is neither bash nor sh'
  return recordOf(command, { cwd: resolve(start.cwd, folder), shell })
}

const LABEL_COLUMNS = 12

function printForPeople(record: ReadingRecord, terminal: Terminal): void {
  const { style } = terminal
  const title = record.is_read_only ? style.good('It only reads.') : style.warn('It may do more than read.')
  for (const line of wrapText(oneLine(record.command), terminal.columns)) terminal.print(style.bold(line))
  terminal.print(title)
  printRow('Facts', factsOf(record), terminal)
  printRow('Reads', record.reads, terminal)
  printRow('Writes', record.writes, terminal)
  printRow('Deletes', record.deletes, terminal)
  printRow('Runs files', record.executes, terminal)
  printRow('Hosts', record.hosts, terminal)
  printRow('Commands', record.commands, terminal)
  printRow('Why', record.reasons, terminal)
}

/** If a reading is incomplete, nothing is called safe. */
function factsOf({ is_destructive, is_open_world, is_complete }: ReadingRecord): string[] {
  const harmless = is_complete ? 'destroys nothing that is known' : 'not known to destroy anything'
  const near = is_complete ? 'stays on this machine' : 'may talk to other machines'
  return [
    is_destructive ? 'may destroy something' : harmless,
    is_open_world ? 'talks to other machines' : near,
    is_complete ? 'all that it touches is listed' : 'not all that it touches is known',
  ]
}

/** Prints nothing for an empty list. */
function printRow(label: string, lines: readonly string[], { columns, print, style }: Terminal): void {
  const parts = lines.flatMap((line) => wrapText(oneLine(line), columns - LABEL_COLUMNS))
  for (const [at, part] of parts.entries())
    print(`${style.dim((at === 0 ? label : '').padEnd(LABEL_COLUMNS))}${part}`)
}
