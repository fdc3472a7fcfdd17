import { awsSecret } from '../cloud/aws-secret.js'
import { azureSecret } from '../cloud/azure-secret.js'
import { gcpSecret } from '../cloud/gcp-secret.js'
import { isObject } from '../../platform/json/is-object.js'
import {
  credentialProblem,
  missingCredential,
  type CredentialOwner,
  type MissingCredential,
} from '../credential-problem.js'
import type { SecretSettings } from '../credential-settings.js'
import type { SecretContext, SecretSource } from './secret-source.js'
import { storedSecret } from './stored-secret.js'

/** The secret that settings name, with its `key` selected. */
export function openSecret(settings: SecretSettings, context: SecretContext): SecretSource {
  const source = sourceOf(settings, context)
  const selection = { key: settings.key, owner: context.owner }
  const { peek } = source
  if (!peek)
    return {
      missing: () => source.missing(),
      load: async (options) => orThrow(select(await source.load(options), selection)),
    }
  return {
    missing() {
      const text = peek()
      const selected = text === undefined ? undefined : select(text, selection)
      return source.missing() ?? (typeof selected === 'object' ? selected : undefined)
    },
    load: async (options) => orThrow(select(await source.load(options), selection)),
    peek() {
      const text = peek()
      const selected = text === undefined ? undefined : select(text, selection)
      // The whole text is no less secret than the field that it lacks.
      return typeof selected === 'object' ? text : selected
    },
  }
}

function sourceOf(settings: SecretSettings, context: SecretContext): SecretSource {
  switch (settings.source) {
    case 'env':
      return envSecret(settings, context)
    case 'keyring':
      return storedSecret(settings, context)
    case 'aws_secrets_manager':
      return awsSecret(settings, context)
    case 'gcp_secret_manager':
      return gcpSecret(settings, context)
    case 'azure_key_vault':
      return azureSecret(settings, context)
  }
}

/** A variable, read for each request: a changed one counts at once. */
function envSecret({ name }: { readonly name: string }, { env, owner }: SecretContext): SecretSource {
  const missing: SecretSource['missing'] = () =>
    env[name] ? undefined : missingCredential(owner, `set the variable ${name}`)
  return {
    missing,
    async load() {
      const problem = missing()
      if (problem) throw credentialProblem(problem)
      return env[name]!
    },
    peek: () => env[name] || undefined,
  }
}

/** Files and `echo` add one, which is never a part of a secret. */
const withoutLineEnd = (text: string): string => text.replace(/(?:\r?\n)+$/, '')

/** One field of a JSON object; a field that is an object itself is JSON again. */
function select(
  whole: string,
  { key, owner }: { key: string | undefined; owner: CredentialOwner },
): string | MissingCredential {
  const text = withoutLineEnd(whole)
  if (key === undefined) return text
  const fields = parseObject(text) ?? {}
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || isObject(value)) return JSON.stringify(value)
  return missingCredential(owner, `its secret must be a JSON object with the field "${key}"`)
}

function orThrow(selected: string | MissingCredential): string {
  if (typeof selected === 'string') return selected
  throw credentialProblem(selected)
}

/** Undefined for everything but a JSON object. The text is not quoted: it is the secret. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
