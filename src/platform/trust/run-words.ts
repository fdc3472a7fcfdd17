import { basename } from 'node:path'
import { withoutWritten } from './shell-words.js'

/** Programs and shell words that run a file of any name. */
const RUNNER =
  /^(?:\.|source|exec|eval|command|builtin|env|nohup|time|timeout|nice|setsid|sudo|doas|xargs|then|do|else|elif|if|while|until|!|(?:ba|da|a|z|k|mk|tc|c|fi)?sh|busybox|node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|py|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|tclsh|expect|Rscript|julia|pwsh|powershell|osascript|[gmn]?awk|g?sed|g?make|java|groovy)$/
/** After these options comes what is run, and after that only its arguments. */
const LAST_OPTION = /^-(?:-eval|-print|[a-z]*[mce])$/
const TOKEN = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&()<>`"'\\])+|[;|&()`\n]/gs

/**
 * The words of a shell line that are run whatever their names are: those in the position of a command, and the scripts
 * of interpreters. Arguments after the name of a script may be data.
 */
export function runWords(line: string): Set<string> {
  const text = withoutWritten(line)
  const found = new Set<string>()
  // With quotes as a shell reads them, and without: one apostrophe in a comment would mislead the first reading.
  const unquoted = text.split(/[\n;|&()`]/).map((part) => part.replaceAll(/["'<]/g, ' ').trim().split(/\s+/))
  for (const tokens of [...commandsIn(text), ...unquoted]) for (const word of runBy(tokens)) found.add(word)
  return found
}

/** The same for a command whose words are known. */
export function runBy(tokens: readonly string[]): string[] {
  const found: string[] = []
  // Variables come before a command, and in a recipe signs.
  const first = tokens.find((token) => !/^\w+=/.test(token))?.replace(/^[@+-]+/, '')
  if (first?.includes('/')) found.push(first)
  tokens.forEach((token, at) => {
    if (/\s/.test(token)) found.push(...runWords(token))
    if (RUNNER.test(basename(token.replace(/^[@+-]+/, '')))) found.push(...scriptOf(tokens.slice(at + 1)))
  })
  return found
}

/** Up to the first word that belongs to no option. Interpreters differ in which options take a word. */
function scriptOf(tokens: readonly string[]): string[] {
  const found: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.startsWith('-')) {
      const joined = /^--?[\w-]+=(.+)$/s.exec(token)?.[1] ?? /^-[a-zA-Z](.+)$/s.exec(token)?.[1]
      if (joined !== undefined) found.push(joined)
      continue
    }
    found.push(token)
    const before = tokens[at - 1] ?? ''
    const isOfOption = (before.startsWith('-') && !before.includes('=')) || /^[a-z\d]+$/.test(token)
    if (!isOfOption || LAST_OPTION.test(before)) break
  }
  return found
}

function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]]
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^[;|&()`\n]$/.test(token)) commands.push([])
    else commands.at(-1)!.push(token.replaceAll(/\\(.)/gs, '$1').replaceAll(/["']/g, ''))
  }
  return commands
}
