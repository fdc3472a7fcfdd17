import { isObject } from '../../platform/json/is-object.js'
import { RequestRefused } from '../oauth/login-problem.js'

/**
 * `refused`: the identity is not accepted. `denied`: it is known and not permitted. `absent`: the queue, function or
 * secret does not exist. `invalid`: the request is refused as it is.
 */
export type CloudErrorKind = 'refused' | 'denied' | 'absent' | 'throttled' | 'outage' | 'invalid' | 'unknown'

export interface CloudError {
  readonly kind: CloudErrorKind
  /** A code or a few words of ours. Messages of the libraries quote requests and answers. */
  readonly reason: string
  /** Of HTTP; 0 where there is none. */
  readonly status: number
  /** Whether the request may have reached the service. */
  readonly mayHaveRun: boolean
}

/** Names of the status codes of Google's services. */
const GRPC_CODES: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  5: 'NOT_FOUND',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
}

/** By the codes of the libraries of AWS, Google, Azure and Kafka. */
const KINDS: readonly (readonly [CloudErrorKind, RegExp])[] = [
  [
    'refused',
    /^(?:InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidSignatureException|InvalidAccessKeyId|InvalidSecurity|ExpiredToken(?:Exception)?|IncompleteSignature|MissingAuthenticationToken(?:Exception)?|CredentialsProviderError|UNAUTHENTICATED|invalid_grant|invalid_client|(?:Aggregate)?Authentication(?:Required)?Error|CredentialUnavailableError|UnauthorizedAccess|UnauthorizedError|PLT_KFK_AUTHENTICATION|SASL_AUTHENTICATION_FAILED)$/,
  ],
  ['denied', /^(?:AccessDenied(?:Exception)?|PERMISSION_DENIED|[A-Z]+(?:_[A-Z]+)*_AUTHORIZATION_FAILED)$/],
  [
    'absent',
    /^(?:QueueDoesNotExist|ResourceNotFoundException|NOT_FOUND|MessagingEntityNotFound(?:Error)?|SecretNotFound|UNKNOWN_TOPIC_OR_PARTITION|UNKNOWN_TOPIC_ID)$/,
  ],
  [
    'throttled',
    /^(?:Throttling(?:Exception)?|ThrottledException|RequestThrottled|KmsThrottled|TooManyRequestsException|RequestLimitExceeded|OverLimit|RESOURCE_EXHAUSTED|ServiceBusy|ServerBusyError|THROTTLING_QUOTA_EXCEEDED)$/,
  ],
  [
    'outage',
    /^(?:E[A-Z]{2,20}|EAI_[A-Z]+|DEADLINE_EXCEEDED|INTERNAL|UNAVAILABLE|.*Time(?:d)?[Oo]ut.*|AbortError|ServiceCommunicationProblem|ServiceCommunicationError|ConnectionLost|PLT_KFK_(?:NETWORK|TIMEOUT)|(?:LEADER|COORDINATOR|BROKER)_NOT_AVAILABLE|NOT_LEADER_OR_FOLLOWER|REQUEST_TIMED_OUT|NETWORK_EXCEPTION)$/,
  ],
]

/** No connection was made, so that nothing can have arrived. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|EHOSTUNREACH|ENETUNREACH|CERT_[A-Z_]+|.*_SIGNED_CERT.*)$/

/** What an error of any of the libraries means. */
export function readCloudError(error: unknown): CloudError {
  const layers = layersOf(error)
  const reason = reasonOf(layers)
  const status = statusOf(layers)
  const kind = kindOf(reason, status)
  const codes = layers.map((layer) => String((layer as NodeJS.ErrnoException).code))
  const isUnsent = [reason, ...codes].some((code) => UNSENT.test(code))
  return { kind, reason, status, mayHaveRun: !isUnsent && (kind === 'outage' || kind === 'unknown') }
}

function kindOf(reason: string, status: number): CloudErrorKind {
  const known = KINDS.find(([, words]) => words.test(reason))?.[0]
  if (known) return known
  switch (status) {
    case 401:
      return 'refused'
    case 403:
      return 'denied'
    case 404:
      return 'absent'
    case 429:
      return 'throttled'
    default:
      return status >= 500 ? 'outage' : status >= 400 ? 'invalid' : 'unknown'
  }
}

/** An error and the errors below it, the outermost first; a library that tries several times joins all of them. */
function layersOf(error: unknown): object[] {
  const layers: object[] = isObject(error) || error instanceof Error ? [error] : []
  for (let at = 0; at < layers.length && layers.length < 16; at++) {
    const { cause, errors } = layers[at] as { cause?: unknown; errors?: unknown }
    for (const each of [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])])
      if (each instanceof Error && !layers.includes(each)) layers.push(each)
  }
  return layers
}

const WORD = /^[A-Za-z_]{3,64}$/
/** They only say that there was an error; what is below them says more. */
const VAGUE =
  /^(?:Error|RestError|TypeError|AggregateError|MessagingError|GeneralError|ServiceBusError|PLT_KFK_(?:MULTIPLE|NETWORK|RESPONSE|PROTOCOL|USER)|GaxiosError)$/

const CONNECTION =
  /\b(?:E(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE)|EAI_AGAIN)\b/

/** The code or the class of the first error that has a telling one. */
function reasonOf(layers: readonly object[]): string {
  const [outer] = layers
  if (!(outer instanceof Error)) return 'unknown error'
  // Our own words.
  if (outer instanceof RequestRefused) return outer.message
  const found = layers.flatMap(namesOf)
  const word = found.find((each) => !VAGUE.test(each))
  if (word !== undefined) return word
  // Azure's library for queues has the code of a lost connection only in its message.
  const inMessage = layers.map((layer) => CONNECTION.exec(String((layer as Error).message))?.[0])
  const code = inMessage.find((each) => each !== undefined)
  if (code !== undefined) return code
  const status = statusOf(layers)
  if (status !== 0) return `HTTP ${status}`
  return (
    found.findLast((each) => !/^(?:Aggregate|Rest)?Error$/.test(each)) ?? 'it did not answer as it should'
  )
}

function namesOf(error: object): string[] {
  const { code, apiId, name } = error as { code?: unknown; apiId?: unknown; name?: unknown }
  const { error: oauthError } = ((error as { response?: { data?: unknown } }).response?.data ?? {}) as {
    error?: unknown
  }
  const known = typeof code === 'number' ? GRPC_CODES[code] : code
  return [apiId, oauthError, known, name].filter(
    (each): each is string => typeof each === 'string' && WORD.test(each),
  )
}

function statusOf(layers: readonly object[]): number {
  for (const layer of layers) {
    const { $metadata, statusCode, status } = layer as {
      $metadata?: { httpStatusCode?: unknown }
      statusCode?: unknown
      status?: unknown
    }
    const found = [$metadata?.httpStatusCode, statusCode, status].find((each) => typeof each === 'number')
    if (typeof found === 'number') return found
  }
  return 0
}
