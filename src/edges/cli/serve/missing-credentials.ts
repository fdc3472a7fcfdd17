import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { setupProblemOf } from '../../../catalog/setup-problem-of.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import { asSentence } from '../../../host/sources/reason-text.js'

/** How many tools lack a credential, and what to run; undefined where none does. */
export function missingCredentials(tools: readonly CatalogTool[]): string | undefined {
  const problems = tools
    .map(({ draft }) => setupProblemOf(draft.availability))
    .filter((problem) => problem?.code === 'toolcrib.credential_missing')
    .map((problem) => asSentence(oneLine(problem!.message)))
  const [first, ...others] = new Set(problems)
  if (first === undefined) return undefined
  const lack =
    problems.length === 1 ? '1 tool lacks a credential' : `${problems.length} tools lack a credential`
  if (others.length === 0) return `${lack}: ${first}`
  return `${lack}; "${ownCommand('servers')}" says how to set each of them.`
}
