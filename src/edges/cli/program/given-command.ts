import { shellWord, type GivenCommand } from '../../../platform/text/own-command.js'
import type { CommandRow, Given, OptionRow } from './command.js'

/** A command as it was given, for hints that repeat it. Values that may be secrets become placeholders. */
export function givenCommand(row: CommandRow, { arguments: words, options }: Given): GivenCommand {
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
