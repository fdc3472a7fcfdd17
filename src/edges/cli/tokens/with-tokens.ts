import { isoTime } from '../../../contract/iso-time.js'
import { personName } from '../../../host/actor-of.js'
import { openConfiguredTokens } from '../../../host/identities/configured-tokens.js'
import type { NamedTokens, TokenAuthor, TokenOutcome } from '../../../host/identities/named-tokens.js'
import type { NamedToken } from '../../../host/identities/token-documents.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import { OWNER_TOKEN, SERVE_TOKEN } from '../../../host/serving/admission.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import { openStore } from '../../../storage/open-store.js'
import type { Store } from '../../../storage/store.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'
import { usageProblem } from '../program/usage-problem.js'
import type { Terminal } from '../terminal/terminal.js'

/** Opens the tokens of the config's store for one command. Servers that use the store notice the change themselves. */
export async function withTokens<Result>(
  options: GivenOptions,
  use: (tokens: NamedTokens, store: Store) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettingsOrStop(options)
  const store = openStore(configuredStore(settings, options.store))
  await store.open()
  try {
    const tokens = await openConfiguredTokens(settings, store)
    try {
      return await use(tokens, store)
    } finally {
      await tokens.close()
    }
  } finally {
    await store.close()
  }
}

/** The user of this terminal. */
export function tokenAuthor(): TokenAuthor {
  return { by: personName(), actors: [] }
}

/** The id of a token by its name, or by its id where several tenants have the name. */
export function tokenIdOf(tokens: NamedTokens, name: string): string {
  const byId = tokens.get(name)
  const found = byId && byId.revokedAt === undefined ? [byId] : tokens.named(name)
  if (found.length > 1) {
    const each = found.map(
      ({ tokenId, tenant }) => `${tokenId} (tenant ${oneLine(tenant ?? 'of the config')})`,
    )
    throw usageProblem(`Several tenants have a token "${oneLine(name)}"; give its id: ${each.join(', ')}.`)
  }
  if (found[0]) return found[0].tokenId
  if (name === OWNER_TOKEN || name === SERVE_TOKEN)
    throw usageProblem(
      `The token "${name}" is not revoked, only replaced; to replace it: ${ownCommand(`tokens rotate ${name}`)}`,
    )
  const names = tokens.list().flatMap((each) => (each.revokedAt === undefined ? [each.name] : []))
  const near = nearestWord(name, names)
  const known = near === undefined ? `to list them: ${ownCommand('tokens')}` : `did you mean "${near}"?`
  throw usageProblem(`There is no token "${oneLine(name)}"; ${known}`)
}

/** A token for programs. */
export function tokenRow(token: NamedToken, usedAt: number | undefined): object {
  const { tokenId, name, actor, roles, surface, tenant, createdAt, createdBy } = token
  const times = { expires_at: token.expiresAt, last_used_at: usedAt, revoked_at: token.revokedAt }
  const known = Object.entries(times).flatMap(([key, at]) => (at === undefined ? [] : [[key, isoTime(at)]]))
  return {
    token_id: tokenId,
    name,
    actor,
    roles,
    ...(surface !== undefined && { surface }),
    ...(tenant !== undefined && { tenant }),
    ...(token.rateLimitPerMinute !== undefined && { rate_limit_per_minute: token.rateLimitPerMinute }),
    created_at: isoTime(createdAt),
    created_by: createdBy,
    ...Object.fromEntries(known),
  }
}

/** Prints a new token. Only the token goes to stdout, so that it can be piped. */
export function printNewToken(
  outcome: TokenOutcome<{ token: string }>,
  { options, terminal }: { options: GivenOptions; terminal: Terminal },
): void {
  if (!outcome.ok) throw usageProblem(outcome.message)
  const { token, record } = outcome
  if (options.json) return terminal.printJson({ token, ...tokenRow(record, undefined) }, 2)
  terminal.print(token)
  terminal.explain(
    `The token "${record.name}" (${record.roles.join(', ')}) acts as "${oneLine(record.actor)}". It is not shown again.`,
  )
}
