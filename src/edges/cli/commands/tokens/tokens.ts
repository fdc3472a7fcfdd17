import { isoTime } from '../../../../contract/iso-time.js'
import type { NamedToken } from '../../../../host/identities/token-documents.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { dateAndTime } from '../../terminal/short-time.js'
import type { Terminal } from '../../terminal/terminal.js'
import { tokenRow, withTokens } from '../../tokens/with-tokens.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  return withTokens<ExitCode>(options, async (tokens, store) => {
    const now = store.now()
    const shown = tokens.list().filter((token) => options['all'] === true || !hasEnded(token, now))
    if (options.json) {
      const rows = shown.map((token) => tokenRow(token, tokens.lastUsedAt(token.tokenId)))
      terminal.printJson(rows, 2)
      return 0
    }
    if (shown.length === 0)
      terminal.explain(`There are no named tokens; to make one: ${ownCommand('tokens create <name>')}`)
    const width = Math.max(...shown.map(({ name }) => name.length)) + 2
    for (const token of shown) {
      const facts = factsOf(token, { now, usedAt: tokens.lastUsedAt(token.tokenId) })
      terminal.print(`${token.name.padEnd(width)}${terminal.style.dim(facts.join(', '))}`)
    }
    return 0
  })
}

function hasEnded({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: NamedToken, now: number): boolean {
  return revokedAt !== undefined || expiresAt <= now
}

function factsOf(token: NamedToken, { now, usedAt }: { now: number; usedAt: number | undefined }): string[] {
  const { roles, actor, name, surface, tenant, expiresAt, revokedAt } = token
  const at = (time: number): string => dateAndTime(isoTime(time))
  return [
    roles.join(' '),
    ...(actor === name ? [] : [`as ${oneLine(actor)}`]),
    ...(surface === undefined ? [] : [`surface ${oneLine(surface)}`]),
    ...(tenant === undefined ? [] : [`tenant ${oneLine(tenant)}`]),
    usedAt === undefined ? 'not used yet' : `last used ${at(usedAt)}`,
    ...(expiresAt === undefined ? [] : [`${expiresAt <= now ? 'expired' : 'expires'} ${at(expiresAt)}`]),
    ...(revokedAt === undefined ? [] : [`revoked ${at(revokedAt)}`]),
  ]
}
