import type { Command, CommandNode, HereDoc, HereString, Script, Word } from 'unbash'
import { folderValues } from './shell-variables.js'
import { valueOf } from './arg.js'
import type { Input } from './trace.js'
import type { Trace } from './trace.js'

/** The output of a substitution, if it is evident: `$(echo rm)`, `$(pwd)`. */
export function literalOutput(script: Script, trace: Trace): string | undefined {
  const [statement, ...more] = script.commands
  const command = statement?.command
  if (command?.type !== 'Command' || more.length > 0) return undefined
  if (command.name?.text === 'pwd') {
    const folders = folderValues(trace)
    return folders?.length === 1 ? valueOf(folders[0]!) : undefined
  }
  return outputOf(command)?.replace(/\n+$/, '')
}

/** The text on the standard input of a command, if it is evident. */
export function literalInput(input: Input | undefined): string | undefined {
  if (input === undefined) return undefined
  if (input.type === 'HereDoc') return bodyOf(input)
  if (input.type === 'HereString') return input.target && literalText(input.target)
  return input.type === 'Command' ? outputOf(input) : undefined
}

function bodyOf({ delimiter, body }: HereDoc): string | undefined {
  if (delimiter?.quoted) return body.text
  return /[$`\\]/.test(body.text) ? undefined : body.text
}

function outputOf(command: Command): string | undefined {
  const name = command.name && literalText(command.name)
  if (name !== 'echo' && name !== 'printf' && name !== 'cat') return undefined
  const words = command.suffix.flatMap((each) => (each.type === 'Word' ? [literalText(each)] : []))
  if (name === 'cat') return words.length === 0 ? literalInput(ownInput(command)) : undefined
  const known = words.filter((word) => word !== undefined)
  if (known.length < words.length) return undefined
  return name === 'echo' ? echoed(known) : printed(known)
}

/** The last here-document or here-string of a command. */
export function ownInput(command: CommandNode): HereDoc | HereString | undefined {
  if (command.type !== 'Command' && command.type !== 'Redirected') return undefined
  const found = command.redirects.filter((each) => each.type === 'HereDoc' || each.type === 'HereString')
  return found.at(-1)
}

function echoed(words: readonly string[]): string | undefined {
  let start = 0
  let hasEscapes = false
  while (/^-[neE]+$/.test(words[start] ?? '')) hasEscapes = words[start++]!.includes('e') || hasEscapes
  const text = words.slice(start).join(' ')
  // Shells differ in how echo treats a backslash.
  if (text.includes('\\') && !hasEscapes) return undefined
  return hasEscapes ? unescape(text) : text
}

function printed([format = '', ...values]: readonly string[]): string | undefined {
  if (values.length === 0) return format.includes('%') ? undefined : unescape(format)
  if (!/^(?:[^%\\]|\\n|\\t|%s)*$/.test(format) || values.some((value) => value.includes('\\')))
    return undefined
  const holes = format.split('%s').length - 1
  if (holes === 0) return unescape(format)
  let text = ''
  for (let at = 0; at < values.length; at += holes) {
    let hole = at
    text += format.replaceAll('%s', () => values[hole++] ?? '')
  }
  return unescape(text)
}

function unescape(text: string): string | undefined {
  if (/\\[^nt\\]/.test(text)) return undefined
  return text.replaceAll(/\\([nt\\])/g, (_, char: string) =>
    char === 'n' ? '\n' : char === 't' ? '\t' : '\\',
  )
}

/** The text of a word without expansions. */
export function literalText(word: Word): string | undefined {
  if (word.text.startsWith('~')) return undefined
  const isLiteral = word.parts?.every((part) => {
    if (part.type === 'DoubleQuoted') return part.parts.every((child) => child.type === 'Literal')
    return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
  })
  // Read only here: the parser builds it from all nested parts.
  return isLiteral === false ? undefined : word.value
}
