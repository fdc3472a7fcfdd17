import type { Credential } from '../../http-client/credential.js'
import { isObject } from '../../platform/json/is-object.js'
import {
  credentialProblem,
  missingCredential,
  type CredentialOwner,
  type MissingCredential,
} from '../credential-problem.js'
import type { BrokerSettings, CloudProvider } from '../credential-settings.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import { tokenCredential, type Token, type TokenPosition } from '../token-credential.js'
import type { FunctionAnswer, InvokeFunction } from './function-call.js'
import { cloudProblem } from './cloud-problem.js'
import { packagesMissing, type CloudPackage } from './load-package.js'

export interface BrokerContext {
  readonly origin: string
  readonly sentAs: TokenPosition
  readonly owner: CredentialOwner
  readonly live: LiveSecrets
  /** The scopes that the API needs, where the settings name none. */
  readonly scopes: readonly string[]
  now(): number
}

const BROKERS: Readonly<
  Record<CloudProvider, { title: string; packages: readonly CloudPackage[]; invoke: InvokeFunction }>
> = {
  aws: {
    title: 'AWS Lambda',
    packages: ['@aws-sdk/client-lambda'],
    invoke: async (call) => (await import('./invoke-aws-function.js')).invokeAwsFunction(call),
  },
  gcp: {
    title: 'Google Cloud',
    packages: ['google-auth-library'],
    invoke: async (call) => (await import('./invoke-gcp-function.js')).invokeGcpFunction(call),
  },
  azure: {
    title: 'Azure',
    packages: ['@azure/identity'],
    invoke: async (call) => (await import('./invoke-azure-function.js')).invokeAzureFunction(call),
  },
}

const TIMEOUT_MS = 30_000

/** Tokens of a function of a cloud, which is called with the identity of this process. */
export function brokerCredential(
  settings: BrokerSettings,
  context: BrokerContext,
): Credential & { missing(): MissingCredential | undefined } {
  const { origin, sentAs, owner, live, now } = context
  const { title, packages, invoke } = BROKERS[settings.provider]
  const missing = (): MissingCredential | undefined => packagesMissing(owner, packages)
  const credential = tokenCredential({
    origin,
    sentAs,
    live,
    now,
    async load() {
      const problem = missing()
      if (problem) throw credentialProblem(problem)
      const answer = await invoke({
        function_id: settings.function_id,
        payload: JSON.stringify({ scopes: settings.scopes ?? context.scopes }),
        owner,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        .then(dataOf)
        .catch((error: unknown) => {
          throw cloudProblem(owner, `the token broker on ${title} gave no token`, error)
        })
      return toToken(answer, { owner, nowMs: now() })
    },
  })
  return { ...credential, missing }
}

/** What the function returned. Of an error nothing is repeated: it may hold what the function knows. */
function dataOf({ status, functionError, body }: FunctionAnswer): unknown {
  if (functionError !== undefined) throw Object.assign(new Error(), { name: 'FunctionError' })
  if (status < 200 || status >= 300) throw Object.assign(new Error(), { status })
  return JSON.parse(body.toString('utf8') || 'null')
}

function toToken(answer: unknown, { owner, nowMs }: { owner: CredentialOwner; nowMs: number }): Token {
  const { access_token: value, expires_in: seconds } = isObject(answer) ? answer : {}
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value))
    throw credentialProblem(missingCredential(owner, 'its token broker must answer with an "access_token"'))
  return { value, ...(typeof seconds === 'number' && { expiresAtMs: nowMs + seconds * 1000 }) }
}
