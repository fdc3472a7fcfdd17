import { roles as known } from '../../platform/config/roles.js'
import { mayHaveRole, OWNER_TOKEN, reservedActor, SERVE_TOKEN } from '../serving/admission.js'
import type { TokenDraft } from './token-documents.js'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** One line without control characters. */
const TEXT = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,198}[^\p{C}\p{Z}])?$/u

/** What is wrong with a new token, in one sentence; undefined where nothing is. */
export function checkTokenDraft(
  { name, roles, actor = name, surface, tenant, rateLimitPerMinute, expiresAt }: TokenDraft,
  {
    owner,
    now,
    surfaceProblem,
  }: {
    readonly owner: string
    readonly now: number
    surfaceProblem(draft: { name: string; surface: string }): string | undefined
  },
): string | undefined {
  if (!NAME.test(name))
    return 'The name of a token has up to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit.'
  if (name === OWNER_TOKEN || name === SERVE_TOKEN)
    return `"${name}" is the name of a token in the data folder of the owner; give this one another name.`
  if (roles.length === 0) return `The token "${name}" needs a role: ${known.join(', ')}.`
  const wrong = roles.find((role) => !known.includes(role))
  if (wrong !== undefined) return `There is no role "${String(wrong)}"; there are ${known.join(', ')}.`
  if (!roles.every(mayHaveRole)) return 'A tool cannot make a token with such a role; a person must do this.'
  if (!TEXT.test(actor)) return `The actor of the token "${name}" must be one line of up to 200 characters.`
  const reserved = reservedActor(actor)
  if (reserved !== undefined) return `The token "${name}" cannot have the actor "${actor}": ${reserved}`
  if (actor === owner)
    return `"${owner}" is the owner of this server, and no token acts as the owner; give the token "${name}" another actor.`
  if (tenant !== undefined && !TEXT.test(tenant))
    return `The tenant of the token "${name}" must be one line of up to 200 characters.`
  if (rateLimitPerMinute !== undefined && !(Number.isInteger(rateLimitPerMinute) && rateLimitPerMinute > 0))
    return 'The rate limit of a token must be a whole number of requests per minute, from 1.'
  if (expiresAt !== undefined && !(Number.isFinite(expiresAt) && expiresAt > now))
    return 'The expiry of a token must be in the future.'
  return surface === undefined ? undefined : surfaceProblem({ name, surface })
}
