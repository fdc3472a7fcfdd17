/** A word as a command gets it: its text, or what is known of one that only the shell can expand. */
export type Argument = string | Opaque

export interface Opaque {
  /** The common start of all words that it becomes; empty if unknown. */
  readonly lead: string
  /** Whether it becomes exactly one word. */
  readonly isOne: boolean
  /** Every word that it becomes is a name in the working directory: it begins with a pattern. */
  readonly isRelative?: boolean
}

/** Zero, one or many words of any text: what `xargs` adds, what `$x` without quotes becomes. */
export const anyWords: Opaque = { lead: '', isOne: false }

/** Whether it can only be an operand: a word that may begin with a dash may be an option. */
export function isNeverOption(argument: Opaque): boolean {
  return argument.lead !== '' && argument.lead.charCodeAt(0) !== 45
}

/** The first words of a command, for a reason. */
export function sayWords(args: readonly Argument[], end: number): string {
  let text = ''
  for (let at = 0; at < end && at < args.length; at++) {
    const arg = args[at]!
    const word = typeof arg === 'string' ? arg : '…'
    text = at === 0 ? word : `${text} ${word}`
  }
  return text
}

/** How an argument is named in a reason. */
export function showArgument(argument: Argument): string {
  return typeof argument === 'string' ? argument : 'a word that only the shell can expand'
}
