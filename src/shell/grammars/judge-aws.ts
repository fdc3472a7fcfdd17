import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'
import { isAwsService } from './aws-services.js'

// Not --debug, which prints the request with the session's token.
const globalFlags = new Set(
  '--no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt'.split(' '),
)
const globalValues = new Set(
  '--profile --region --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout'.split(
    ' ',
  ),
)
// They change the target or content of a request, write a file, or print secrets.
const dangerous = `--endpoint-url --cli-input-json --cli-input-yaml --cli-auto-prompt --outfile --debug
  --with-decryption --include-values`.split(/\s+/)

// By the naming of the service's API these only read. `get-` is separate: some return a file's content.
const asks = /^(?:describe|list|batch-get|lookup|search|admin-list)-[a-z0-9-]+$/
const gets = /^(?:get|head|admin-get)-[a-z0-9-]+$/
// Some write the response to a file named by the last word. From the models of all services in botocore 1.43.
const saved = `object object-torrent job-output export sdk thing-shadow snapshot-block media
  media-for-fragment-list clip raw-message-content profile configuration latest-configuration
  hosted-configuration-version chunk image-frame image-set-metadata read-set reference glyphs sprites map-glyphs
  map-sprites map-style-descriptor map-tile style-descriptor static-map tile package-version-asset
  work-unit-results introspection-schema connection-function function-code lineage-event position-estimate
  resource-position code-binding-source`
// Others return secrets and sessions, or change something after all. From the same models and their texts.
const harmful = `describe-endpoint describe-input-device-thumbnail get-agent-task-response-url get-attendee
  list-attendees get-bot list-bots get-job-details get-third-party-job-details describe-user-pool-client
  describe-directory-configs get-compute-access get-instance-access get-ingest-configuration get-stream-key
  batch-get-stream-key get-saml-provider get-oidc-info get-opentdf-config get-parameters-for-import
  get-parameters-for-export get-session-endpoint get-term-for-report get-shipping-label get-sampling-targets
  get-scaling-configuration-recommendation get-whatsapp-message-media get-tax-registration-document
  get-execution-preview get-job-unlock-code get-buyer-dashboard get-dashboard-for-job-run get-upload-job-path
  list-landing-zones describe-vpn-connections get-vpn-connection-device-sample-configuration get-federation-token
  get-channel batch-get-channel get-stream-session`
const refused = new RegExp(
  'secret-value|client-secret|password|credential|token|login|embed-url|activity-task|get-id$|access-details' +
    '|data-access|api-key|bucket-access-key|private-key|decrypted|presigned|(?<!queue)-urls?$|get-sol-' +
    `|^get-(?:${saved.split(/\s+/).join('|')})$|^(?:${harmful.split(/\s+/).join('|')})$`,
)
// The code of a function of CloudFront is written to a file, that of Lambda is not.
const refusedCalls = new Set(['cloudfront.get-function'])

// Read-only calls with another name.
const special = new Set(
  `cloudformation.validate-template cloudformation.estimate-template-cost dynamodb.query dynamodb.scan
   logs.filter-log-events`.split(/\s+/),
)
// Commands of the client itself, and the one word that each may take. The word `help` would open a manual.
const ownCommands = new Map<string, RegExp>([
  ['configure.list', /^$/],
  ['configure.list-profiles', /^$/],
  ['configure.get', /^(?:(?:profile\.)?[\w-]+\.)?(?:region|output)$/],
  ['s3.ls', /^s3:\/\/[^\s]*$/],
  ['logs.tail', /^(?!help$)[\w/.#][\w/.#-]*$/],
])
const option = /^--[a-z][a-z0-9-]*$/
// One of these may have several values. After others a second word could be the output file.
const lists =
  /^--(?!max-)(?![a-z-]*(?:status|address|class|alias|contains|equals|-as)$)(?:[a-z][a-z0-9-]*s|filter|sort-by|search-criteria|group-by|attributes-to-get|include)$/

const DASH = 45

/** `aws`, if the call only lists or describes. */
export function judgeAws(args: readonly Argument[], from: number, prover: Prover): boolean {
  const words = args as readonly string[]
  const at = skipGlobals(words, from)
  if (at === -1 || at + 1 >= words.length)
    return prover.failAt(words, words.length, ' is given no sub-command, so it is not known what it does.')
  if (provesCall(words, at)) return true
  return prover.failAt(words, at + 2, ' is not known to only read with these arguments.')
}

function provesCall(words: readonly string[], at: number): boolean {
  const service = words[at]!
  const operation = words[at + 1]!
  const name = `${service}.${operation}`
  const operand = ownCommands.get(name)
  if (operand !== undefined) return takesFlags(words, at + 2, operand)
  if (special.has(name)) return takesFlags(words, at + 2)
  if (!asks.test(operation) && !gets.test(operation)) return false
  return (
    isAwsService(service) && !refused.test(operation) && !refusedCalls.has(name) && takesFlags(words, at + 2)
  )
}

function skipGlobals(words: readonly string[], from: number): number {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!
    if (word.charCodeAt(0) !== DASH) return index
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (globalValues.has(name)) {
      if (equals === -1) index += 1
      if (!isPlainValue(name, equals === -1 ? (words[index] ?? '') : word.slice(equals + 1))) return -1
    } else if (!globalFlags.has(word)) return -1
  }
  return -1
}

/** Options with their values, and before them one word if the command takes it. */
function takesFlags(words: readonly string[], from: number, operand?: RegExp): boolean {
  let name = ''
  let left = 0
  let start = from
  if (operand !== undefined && operand.test(words[from] ?? '')) start = Math.min(from + 1, words.length)
  for (let index = start; index < words.length; index++) {
    const word = words[index]!
    if (word.charCodeAt(0) === DASH && !/^-[0-9]/.test(word)) {
      const equals = word.indexOf('=')
      name = equals === -1 ? word : word.slice(0, equals)
      if (!isHarmlessOption(name)) return false
      if (equals !== -1 && !isPlainValue(name, word.slice(equals + 1))) return false
      left = equals !== -1 || globalFlags.has(word) ? 0 : lists.test(name) ? Infinity : 1
    } else if (left-- < 1 || !isPlainValue(name, word)) return false
  }
  return true
}

/** The client accepts abbreviated options: `--endpoint-u` is `--endpoint-url`. */
function isHarmlessOption(name: string): boolean {
  return option.test(name) && !dangerous.some((full) => full.startsWith(name))
}

/** Whether a value is literal, not a file or URL whose content would be sent instead. */
function isPlainValue(name: string, value: string): boolean {
  // It becomes a part of the host's name.
  if ('--region'.startsWith(name)) return /^[a-z0-9-]+$/.test(value)
  if (/fileb?:\/\//i.test(value)) return false
  return name.endsWith('-url') || !/^https?:\/\//i.test(value)
}
