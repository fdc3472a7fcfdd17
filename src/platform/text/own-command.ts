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

/** A command of ours as somebody would type it here: `ownCommand('trust')`. */
export function ownCommand(words: string): string {
  return `toolcrib ${words}${repeated}`
}

/** As a shell takes it: what holds anything odd stands in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
