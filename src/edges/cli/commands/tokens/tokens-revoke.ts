import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import type { Terminal } from '../../terminal/terminal.js'
import { tokenAuthor, tokenIdOf, tokenRow, withTokens } from '../../tokens/with-tokens.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const outcome = await withTokens(options, (tokens) => tokens.revoke(tokenIdOf(tokens, name), tokenAuthor()))
  if (!outcome.ok) throw usageProblem(outcome.message)
  if (options.json) terminal.printJson(tokenRow(outcome.record, undefined), 2)
  else terminal.print(`Revoked the token "${outcome.record.name}".`)
  return 0
}
