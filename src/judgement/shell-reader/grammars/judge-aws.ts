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
// Some of them hand out secrets and sessions, make an identity, or take a task off a queue; others write what they get to a
// file that is named by the last word.
const saved = `object object-torrent job-output export sdk thing-shadow snapshot-block media
  media-for-fragment-list clip raw-message-content profile configuration latest-configuration
  hosted-configuration-version chunk image-frame image-set-metadata read-set reference glyphs sprites map-glyphs
  map-sprites map-style-descriptor map-tile style-descriptor static-map tile package-version-asset
  work-unit-results`
const refused = new RegExp(
  'secret-value|password|credential|token|login|embed-url|activity-task|get-id$|access-details|data-access' +
    `|^get-(?:${saved.split(/\s+/).join('|')})$`,
)

// Calls that ask by another name.
const special = new Set(
  `cloudformation.validate-template cloudformation.estimate-template-cost dynamodb.query dynamodb.scan
   logs.filter-log-events`.split(/\s+/),
)
// Commands of the client itself that take one word.
const ownCommands = new Set([
  'configure.list',
  'configure.list-profiles',
  'configure.get',
  's3.ls',
  'logs.tail',
])
const option =
  /^--(?!(?:with-decryption|endpoint-url|cli-input-json|cli-input-yaml|cli-auto-prompt|outfile)(?:=|$))[a-z][a-z0-9-]*(?:=|$)/

const DASH = 45

/** `aws`, where the call only asks for what there is. */
export function judgeAws(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  const at = skipGlobals(words, from)
  if (at === -1 || at + 1 >= words.length)
    return prover.failAt(words, words.length, ' does not say what to do.')
  if (provesCall(words, at)) return true
  return prover.failAt(words, at + 2, ' is not known to only read with these arguments.')
}

function provesCall(words: readonly string[], at: number): boolean {
  const service = words[at]!
  const operation = words[at + 1]!
  if (asks.test(operation)) {
    if (service === 'configure')
      return ownCommands.has(`configure.${operation}`) && takesFlags(words, at + 2, 0, 1)
    return !refused.test(operation) && isService(service) && takesFlags(words, at + 2, 0, Infinity)
  }
  if (gets.test(operation))
    return !refused.test(operation) && isService(service) && takesFlags(words, at + 2, 0, 1)
  const name = `${service}.${operation}`
  if (special.has(name)) return takesFlags(words, at + 2, 0, Infinity)
  return ownCommands.has(name) && takesFlags(words, at + 2, 1, 1)
}

function isService(word: string): boolean {
  return /^[a-z0-9-]+$/.test(word)
}

function skipGlobals(words: readonly string[], from: number): number {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (word.charCodeAt(0) !== DASH) return index
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
    if (word.charCodeAt(0) === DASH && !/^-[0-9]/.test(word)) {
      if (!option.test(word)) return false
      left = word.includes('=') || globalFlags.has(word) ? 0 : maxValues
    } else if (left-- < 1) return false
  }
  return true
}
