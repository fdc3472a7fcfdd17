import type { Argument } from '../argument.js'
import type { Prover } from '../prover.js'

const globalFlags = new Set(['--debug', '--verbose', '--only-show-errors'])
const globalValues = new Set(['-o', '--output', '--query', '--subscription'])

const asks =
  /^(?:list|show|exists|logs|tail|query|summarize|version|url|(?:list|show|check-name)-[a-z0-9-]+|get-(?:versions|upgrades|instance-view|boot-log|os-options))$/
// What else stands among the words before the options could be the real command.
const acts =
  /^(?:add|apply|approve|assign|attach|begin|cancel|clear|copy|create|delete|deploy|disable|download|enable|execute|export|generate|import|install|invoke|login|logout|move|purge|put|regenerate|reject|remove|renew|reset|restart|restore|revoke|rotate|run|send|set|start|stop|swap|sync|unlock|update|upgrade|upload|wait)(?:-|$)/
// They open a browser, name a file to write, or hand out more than what there is.
const refusedFlags =
  /^(?:--(?:open|file|file-path|path|destination|dest|output-file|output-folder|download-[a-z-]+)|-f)(?:=|$)/

/** `az`, where the last word before the options only asks. */
export function judgeAz(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  let index = from
  for (; index < words.length && words[index]!.startsWith('-'); index++) {
    if (globalValues.has(words[index]!)) index += 1
    else if (!globalFlags.has(words[index]!)) return refuse(words, prover)
  }
  let verb = ''
  for (; index < words.length && !words[index]!.startsWith('-'); index++) {
    if (acts.test(verb) || !/^[a-z][a-z0-9-]*$/.test(words[index]!)) return refuse(words, prover)
    verb = words[index]!
  }
  const isQuestion = index === words.length - 1 && /^(?:--help|-h)$/.test(words[index]!)
  if (isQuestion) return true
  if (!asks.test(verb) || verb.includes('token')) return refuse(words, prover)
  for (; index < words.length; index++) {
    const word = words[index]!
    if (word.startsWith('-') && !/^(?:--[a-z][a-z0-9-]*(?:=.*)?|-[a-z])$/s.test(word))
      return refuse(words, prover)
    if (refusedFlags.test(word)) return refuse(words, prover)
  }
  return true
}

function refuse(words: readonly string[], prover: Prover): false {
  return prover.fail(`${words.join(' ')} is not known to only read.`)
}
