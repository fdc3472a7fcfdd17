import { ownerTokenPath, replaceToken, serveTokenPath } from '../../../../credentials/gateway-token.js'
import { OWNER_TOKEN, SERVE_TOKEN } from '../../../../host/serving/admission.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import type { Terminal } from '../../terminal/terminal.js'
import { printNewToken, tokenAuthor, tokenIdOf, withTokens } from '../../tokens/with-tokens.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  if (name === OWNER_TOKEN) return rotateOwner(options, terminal)
  if (name === SERVE_TOKEN) return rotateServe(options, terminal)
  const outcome = await withTokens(options, (tokens) => tokens.rotate(tokenIdOf(tokens, name), tokenAuthor()))
  printNewToken(outcome, { options, terminal })
  return 0
}

/** The token of the owner is never printed. */
function rotateOwner({ json }: GivenOptions, terminal: Terminal): ExitCode {
  const path = ownerTokenPath()
  replaceToken(path)
  if (json) terminal.printJson({ name: OWNER_TOKEN, path }, 2)
  else
    terminal.print(
      `Replaced your token in ${path}. Your servers refuse the old one and end your sessions within a second.`,
    )
  return 0
}

function rotateServe({ json }: GivenOptions, terminal: Terminal): ExitCode {
  const path = serveTokenPath()
  const token = replaceToken(path)
  if (json) terminal.printJson({ token, name: SERVE_TOKEN, path }, 2)
  else {
    terminal.print(token)
    terminal.explain(
      `Your servers refuse the old token within a second. To give clients the new one: ${ownCommand('connect <client>')}`,
    )
  }
  return 0
}
