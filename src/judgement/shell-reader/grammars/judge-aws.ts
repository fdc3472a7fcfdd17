import type { Argument } from '../argument.js'
import type { Prover } from '../prover.js'

const globalFlags = new Set(
  '--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt'.split(' '),
)
// Not --endpoint-url and --cli-input-json, which change where a request goes and what it says.
const globalValues = new Set(
  '--profile --region --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout'.split(
    ' ',
  ),
)

// By the naming of the service's API these only ask. `get-` is told from the others: some hand a file's content out.
const asks = /^(?:describe|list|batch-get|lookup|search|admin-list)-[a-z0-9-]+$/
const gets = /^(?:get|head|admin-get)-[a-z0-9-]+$/
// Some `get-` calls hand out secrets and sessions, make an identity, or take a task off a queue.
const tells =
  /secret-value|password|credential|token|login|embed-url|activity-task|get-id$|access-details|data-access/
// These write what they get to a file that is named by the last word.
const saves =
  /^get-(?:object|object-torrent|job-output|export|sdk|thing-shadow|snapshot-block|media|media-for-fragment-list|clip|raw-message-content|profile|configuration|latest-configuration|hosted-configuration-version|chunk|image-frame|image-set-metadata|read-set|reference|glyphs|sprites|map-glyphs|map-sprites|map-style-descriptor|map-tile|style-descriptor|static-map|tile|package-version-asset|work-unit-results)$/

const special = new Set(
  `cloudformation.validate-template cloudformation.estimate-template-cost dynamodb.query dynamodb.scan
   logs.filter-log-events`.split(/\s+/),
)
const refusedFlags =
  /^--(?:with-decryption|endpoint-url|cli-input-json|cli-input-yaml|cli-auto-prompt|outfile)(?:=|$)/

/** `aws`, where the call only asks for what there is. */
export function judgeAws(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  const at = skipGlobals(words, from)
  const [service, operation] = [words[at], words[at + 1]]
  if (at === -1 || service === undefined || operation === undefined)
    return prover.fail('aws is not used in a way that is known.')
  const name = `${service} ${operation}`
  if (service === 'configure') {
    const isAsking = operation === 'list' || operation === 'list-profiles' || operation === 'get'
    return (
      (isAsking && takesFlags(words, at + 2, 1, 1)) || prover.fail(`aws ${name} is not known to only read.`)
    )
  }
  if (name === 's3 ls' || name === 'logs tail') return takesFlags(words, at + 2, 1, 1) || refuse(name, prover)

  const isPlain = /^[a-z0-9-]+$/.test(service)
  if (isPlain && (asks.test(operation) || special.has(`${service}.${operation}`)) && !tells.test(operation))
    return takesFlags(words, at + 2, 0, Infinity) || refuse(name, prover)
  if (isPlain && gets.test(operation) && !tells.test(operation) && !saves.test(operation))
    return takesFlags(words, at + 2, 0, 1) || refuse(name, prover)
  return refuse(name, prover)
}

function refuse(name: string, prover: Prover): false {
  return prover.fail(`aws ${name} is not known to only read with these arguments.`)
}

function skipGlobals(words: readonly string[], from: number): number {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (!word.startsWith('-')) return index
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (globalValues.has(name)) index += equals === -1 ? 1 : 0
    else if (!globalFlags.has(word)) return -1
  }
  return -1
}

/** Options with at most so many values each, and words without an option only at the beginning. */
function takesFlags(words: readonly string[], from: number, maxOperands: number, maxValues: number): boolean {
  let left = maxOperands
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (/^--[a-z][a-z0-9-]*(?:=|$)/.test(word)) {
      if (refusedFlags.test(word)) return false
      left = word.includes('=') || globalFlags.has(word) ? 0 : maxValues
    } else if (word.startsWith('-') && !/^-[0-9]/.test(word)) return false
    else if (left-- < 1) return false
  }
  return true
}
