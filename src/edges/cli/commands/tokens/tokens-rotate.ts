import type { ExitCode, Given } from '../../program/command.js'
import type { Terminal } from '../../terminal/terminal.js'
import { printNewToken, tokenAuthor, tokenIdOf, withTokens } from '../../tokens/with-tokens.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const outcome = await withTokens(options, (tokens) => tokens.rotate(tokenIdOf(tokens, name), tokenAuthor()))
  printNewToken(outcome, { options, terminal })
  return 0
}
