import type { Argument } from '../argument.js'
import type { Prover } from '../prover.js'

const globalFlags = new Set(['--debug', '--verbose', '--only-show-errors'])
const globalValues = new Set(['-o', '--output', '--query', '--subscription'])

const asks =
  /^(?:list|show|exists|logs|tail|query|summarize|version|url|(?:list|show|check-name)-[a-z0-9-]+|get-(?:versions|upgrades|instance-view|boot-log|os-options))$/
// A group of commands. What else stands before the last word could be the real command.
const acts = `add apply approve assign attach begin cancel clear copy create delete deploy disable download
  enable execute export generate import install invoke login logout move purge put regenerate reject remove renew
  reset restart restore revoke rotate run send set start stop swap sync unlock update upgrade upload wait`
const group = new RegExp(`^(?!(?:${acts.split(/\s+/).join('|')})(?:-|$))[a-z][a-z0-9-]*$`)
// Not those that open a browser or name a file to write.
const option =
  /^(?!(?:--(?:open|file|file-path|path|destination|dest|output-file|output-folder|download-[a-z-]+)|-f)(?:=|$))(?:--[a-z][a-z0-9-]*(?:=|$)|-[a-z]$)/

const DASH = 45

/** `az`, where the last word before the options only asks. */
export function judgeAz(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  let start = from
  for (; start < words.length && isOption(words[start]!); start++) {
    if (globalValues.has(words[start]!)) start += 1
    else if (!globalFlags.has(words[start]!)) return refuse(words, start + 1, prover)
  }
  let end = start
  while (end < words.length && !isOption(words[end]!)) end++
  for (let index = start; index < end - 1; index++)
    if (!group.test(words[index]!)) return refuse(words, end, prover)
  const last = words[words.length - 1]
  if (end === words.length - 1 && (last === '--help' || last === '-h')) return true
  if (end === start || !asks.test(words[end - 1]!)) return refuse(words, end, prover)
  for (let index = end; index < words.length; index++)
    if (isOption(words[index]!) && !option.test(words[index]!)) return refuse(words, index + 1, prover)
  return true
}

function isOption(word: string): boolean {
  return word.charCodeAt(0) === DASH
}

function refuse(words: readonly string[], end: number, prover: Prover): false {
  return prover.failAt(words, end, ' is not known to only read.')
}
