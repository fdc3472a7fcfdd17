/** What follows a command that a hint names, so that it speaks of the same config and the same record. */
let repeated = ''

/**
 * Takes down what was given on the command line of this process. It is one for all hints, wherever they are made: a command that
 * is copied from one must not find another config.
 */
export function repeatInHints({
  config,
  store,
}: {
  config?: string | undefined
  store?: string | undefined
}): void {
  repeated = [
    ...(config === undefined ? [] : [` --config ${shellWord(config)}`]),
    ...(store === undefined ? [] : [` --store ${shellWord(store)}`]),
  ].join('')
}

/** The command that runs in this process, as it was given. */
export interface GivenCommand {
  /** Its name and its arguments. */
  readonly words: readonly string[]
  /** Its options, each with its flag (`--user`) and as it is typed (`--wait 5`). */
  readonly options: readonly { readonly flag: string; readonly text: string }[]
}

let current: GivenCommand = { words: [], options: [] }

/** Takes down the command of this process, for hints that say "the same, and this option". */
export function noteCommand(command: GivenCommand): void {
  current = command
}

/**
 * The command of this process once more, with all that was given to it and these further options: `sameCommand('--yes')`.
 * `without` names options that the new ones replace.
 */
export function sameCommand(
  more: string,
  { words = current.words, without = [] }: { words?: readonly string[]; without?: readonly string[] } = {},
): string {
  const flags = new Set([...more.split(' '), ...without])
  const kept = current.options.filter(({ flag }) => !flags.has(flag)).map(({ text }) => text)
  return ownCommand([...words.map(shellWord), ...kept, more].join(' '))
}

/** A command of ours as somebody would type it here: `ownCommand('trust')`. */
export function ownCommand(words: string): string {
  return `toolcrib ${words}${repeated}`
}

/** As a shell takes it: what holds anything odd stands in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
