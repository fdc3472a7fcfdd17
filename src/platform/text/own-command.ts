/** Options added to a command in a hint, so that it uses the same config and the same record. */
let repeated = ''

/**
 * Stores the options of this process's command line. They apply to all hints: a command that is copied from a hint must
 * not find another config.
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

/** The command of this process, as it was given. */
export interface GivenCommand {
  /** Its name and its arguments. */
  readonly words: readonly string[]
  /** Its options, each with its flag (`--user`) and as it is typed (`--wait 5`). */
  readonly options: readonly { readonly flag: string; readonly text: string }[]
}

let current: GivenCommand = { words: [], options: [] }

/** Stores the command of this process, for hints that say "the same, and this option". */
export function noteCommand(command: GivenCommand): void {
  current = command
}

/**
 * The command of this process again, with everything that was given to it and these further options:
 * `sameCommand('--yes')`. `without` names options that the new ones replace.
 */
export function sameCommand(
  more: string,
  { words = current.words, without = [] }: { words?: readonly string[]; without?: readonly string[] } = {},
): string {
  const flags = new Set([...more.split(' '), ...without])
  const kept = current.options.filter(({ flag }) => !flags.has(flag)).map(({ text }) => text)
  return ownCommand([...words.map(shellWord), ...kept, more].join(' '))
}

/** One of our commands as a person would type it here: `ownCommand('trust')`. */
export function ownCommand(words: string): string {
  return `toolcrib ${words}${repeated}`
}

/** Quoted for a shell where needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
