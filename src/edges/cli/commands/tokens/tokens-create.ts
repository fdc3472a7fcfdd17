import { roles as known, type Role } from '../../../../platform/config/roles.js'
import { wholeNumber } from '../../input/whole-number.js'
import { textOption, type ExitCode, type Given, type GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { parseUntil } from '../../record/parse-since.js'
import type { Terminal } from '../../terminal/terminal.js'
import { printNewToken, tokenAuthor, withTokens } from '../../tokens/with-tokens.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const roles = rolesOf(options)
  const rate = options['rateLimit']
  const given = {
    name,
    roles,
    actor: textOption(options, 'actor'),
    surface: textOption(options, 'surface'),
    tenant: textOption(options, 'tenant'),
    rateLimitPerMinute: rate === undefined ? undefined : wholeNumber('--rate-limit', rate),
  }
  const outcome = await withTokens(options, (tokens, store) => {
    const expiresAt = expiryOf(textOption(options, 'expires'), store.now())
    return tokens.create({ ...given, expiresAt }, tokenAuthor())
  })
  printNewToken(outcome, { options, terminal })
  return 0
}

function rolesOf({ role }: GivenOptions): Role[] {
  const given = role === undefined ? ['caller'] : ([role].flat() as string[])
  return given.map((each) => {
    const found = known.find((one) => one === each)
    if (found) return found
    throw usageProblem(`--role takes ${known.join(', ')}, not "${each}".`)
  })
}

function expiryOf(given: string | undefined, now: number): number | undefined {
  if (given === undefined) return undefined
  const at = parseUntil(given, now)
  if (at !== undefined) return at
  throw usageProblem(`--expires takes a time such as 30d or 12h, or a date, not "${given}".`)
}
