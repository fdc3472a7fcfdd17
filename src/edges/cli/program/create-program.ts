import { Command, type Argument } from 'commander'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { CommandRow, ExitCode, Given, GivenOptions, OptionRow } from './command.js'
import { commandGroups, commands, commonOptions } from './commands.js'
import { firstWord, firstWords, rootHelp } from './root-help.js'
import {
  noteCommand,
  repeatInHints,
  shellWord,
  type GivenCommand,
} from '../../../platform/text/own-command.js'
import { printable } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * The table of commands as a commander program. With the words of a command line, it has only the commands that these can mean:
 * to make all of them takes longer than to run one.
 */
export function createProgram(
  terminal: Terminal,
  end: (code: ExitCode) => void,
  { words }: { words?: readonly string[] } = {},
): Command {
  const program = prepare(new Command('toolcrib'), terminal)
    .description('The tool counter for AI agents.')
    .usage('<command> [options]')
    .helpCommand(false)
    .option('-V, --version', 'print the versions')
    .configureHelp({ formatHelp: rootHelp })
  for (const { flags, description } of commonOptions) program.option(flags, description)
  program.action(async ({ version }: { version?: boolean }, command: Command) => {
    const [stray] = command.args
    if (stray !== undefined) return unknownCommand(program, stray)
    if (!version) return program.outputHelp()
    end(await carryOut('version', [], program.opts(), terminal))
  })
  for (const row of commands)
    if (words?.includes(firstWord(row)) ?? true) addCommand(program, row, terminal, end)
  return program
}

function prepare(command: Command, terminal: Terminal): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .allowExcessArguments(command.name() === 'toolcrib')
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: Math.min(terminal.columns, 100),
      subcommandTerm: (each) => [each.name(), ...each.registeredArguments.map(argumentTerm)].join(' '),
    })
    .helpOption('-h, --help', 'print this')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.explain(text.trimEnd()),
      outputError: (text, write) => write(withHint(toSentence(text), command)),
    })
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function addCommand(
  program: Command,
  row: CommandRow,
  terminal: Terminal,
  end: (code: ExitCode) => void,
): void {
  const words = row.name.split(' ')
  const parent = words.length === 1 ? program : parentOf(program, words[0]!, terminal)
  const command = prepare(new Command(words.at(-1)), terminal)
    .summary(row.summary)
    .description(descriptionOf(row))
    .helpCommand(false)
    .addHelpText('after', `\nExamples:\n${row.examples.map((example) => `  ${example}`).join('\n')}`)
  for (const { name, description } of row.arguments ?? []) command.argument(name, description)
  for (const option of row.options ?? []) addOption(command, option)
  command.action(async () => {
    const [stray] = command.args
    if (stray !== undefined && command.registeredArguments.length === 0) return unknownCommand(command, stray)
    end(await carryOut(row.name, command.args, command.optsWithGlobals(), terminal))
  })
  parent.addCommand(command)
  // A word after a command that takes none should be a command below it.
  if (parent.registeredArguments.length === 0) parent.allowExcessArguments()
}

function addOption(command: Command, { flags, description, default: preset, isRepeated }: OptionRow): void {
  if (!isRepeated) command.option(flags, description, preset)
  else command.option(flags, description, (value: string, before: string[] = []) => [...before, value])
}

/** The parent command, or a group that only contains others. */
function parentOf(program: Command, name: string, terminal: Terminal): Command {
  const known = program.commands.find((each) => each.name() === name)
  if (known) return known
  const summary = commandGroups[name]!
  const group = prepare(new Command(name), terminal)
    .summary(summary)
    .description(sentenceOf(summary))
    .helpCommand(false)
    .allowExcessArguments()
  group.action(() => {
    const [stray] = group.args
    if (stray !== undefined) return unknownCommand(group, stray)
    group.outputHelp()
  })
  program.addCommand(group)
  return group
}

function sentenceOf(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`
}

function descriptionOf({ summary, details }: CommandRow): string {
  const sentence = sentenceOf(summary)
  return details ? `${sentence}\n\n${details}` : sentence
}

async function carryOut(
  name: string,
  given: readonly string[],
  options: GivenOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const row = commands.find((each) => each.name === name)!
  if (row.widens?.(options) === true) {
    const { refuseInsideCall } = await import('../calls/refuse-inside-call.js')
    refuseInsideCall()
  }
  repeatInHints(options)
  noteCommand(givenCommand(row, { arguments: given, options }))
  const { run } = await row.load()
  return run({ arguments: given, options }, terminal)
}

/** A command as it was given, for hints that repeat it. Values that may be secrets become placeholders. */
function givenCommand(row: CommandRow, { arguments: words, options }: Given): GivenCommand {
  return {
    words: [...row.name.split(' '), ...words],
    options: (row.options ?? []).flatMap((option) => {
      const flag = flagOf(option)
      return valuesOf(options[keyOf(flag)], option).map((value) => ({
        flag,
        text: value === true ? flag : `${flag} ${option.isSecret ? '<value>' : shellWord(value)}`,
      }))
    }),
  }
}

function flagOf({ flags }: OptionRow): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags
}

/** Commander's name of the value. */
function keyOf(flag: string): string {
  return flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function valuesOf(given: unknown, { default: preset }: OptionRow): (string | true)[] {
  if (given === true) return [true]
  if (typeof given === 'string') return given === preset ? [] : [given]
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
}

/** The command of these words; an unknown word ends the program with a sentence. */
export function findCommand(program: Command, words: readonly string[]): Command {
  let found = program
  for (const word of words) {
    found = found.commands.find((each) => each.name() === word) ?? unknownCommand(found, word)
  }
  return found
}

function unknownCommand(program: Command, name: string): never {
  const names = program.parent ? program.commands.map((each) => each.name()) : firstWords
  const near = nearestWord(name, names)
  const isAbove = program.parent !== null && firstWords.includes(name)
  const hint = isAbove
    ? `did you mean "toolcrib ${name}"?`
    : near
      ? `did you mean "${near}"?`
      : `there are ${names.join(', ')}`
  return program.error(`unknown command "${name}"; ${hint}`)
}

/** Adds the next step to errors with a common cause. */
function withHint(sentence: string, command: Command): string {
  const words = [command.parent?.name(), command.name()].filter((word) => word !== undefined)
  if (sentence.startsWith('Unknown option') && words.join(' ') === 'shell read')
    return `${sentence.replace(/\.$/, '')}; put the command in quotes: toolcrib shell read 'ls -la'`
  if (sentence.startsWith('Unknown option') && words.join(' ') === 'add mcp')
    return `${sentence.replace(/\.$/, '')}; put -- before the command: toolcrib add mcp <name> -- <command> [args…]`
  if (sentence.startsWith('Too many arguments') && words.join(' ') === 'secrets set')
    return 'The value of a secret is no argument, since others can see arguments: leave it out and type it when asked, or pipe it into the command.'
  if (!sentence.startsWith('Missing required argument')) return sentence
  return `${sentence.replace(/\.$/, '')}; "${words.join(' ')} --help" shows examples.`
}

/** Commander writes `error: unknown option '--foo'`, and its suggestion on a line of its own. */
function toSentence(text: string): string {
  const [first = '', ...rest] = printable(text.trim())
    .replace(/^error: /, '')
    .split('\n')
  const sentence = `${first[0]?.toUpperCase() ?? ''}${first.slice(1)}`
  return [/[.?!]$/.test(sentence) ? sentence : `${sentence}.`, ...rest]
    .join(' ')
    .replace(/\((Did you mean .*)\)$/, '$1')
}
