import { compileMask } from '../../foundation/redaction/mask-fields.js'
import type { ApprovalRequest, Approver } from '../../judgement/policy/decision.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { askPerson } from './ask-person.js'
import { wrapText } from './fit-text.js'
import { oneLine, printableJson } from './printable.js'
import type { Terminal } from './terminal.js'
import { userName } from './user-name.js'

/** Who is asked: everyone says yes to --yes, a person where there is a terminal, else nobody. */
export function approverFor(
  terminal: Terminal,
  { yes, findTool }: { yes: boolean; findTool: (toolId: string) => CatalogTool | undefined },
): Approver | undefined {
  if (yes) return () => ({ approved: true, by: `${userName()} (--yes)` })
  if (!terminal.isInteractive) return undefined
  return async (request) => {
    describeRequest(request, findTool(request.toolId), terminal)
    const answer = await askPerson(`Run ${oneLine(request.toolId)}? [y/N] `, {
      signal: request.signal,
      terminal,
    })
    return /^\s*y(es)?\s*$/i.test(answer ?? '')
      ? { approved: true, by: userName() }
      : { approved: false, by: userName() }
  }
}

function describeRequest(request: ApprovalRequest, tool: CatalogTool | undefined, terminal: Terminal): void {
  const mask = compileMask(tool?.draft.input.sensitiveFields ?? [])
  const input = mask ? mask(request.input) : request.input
  const width = terminal.columns - 10
  const show = (label: string, text: string): void => {
    wrapText(text, width).forEach((line, index) => {
      terminal.say(`  ${terminal.sayStyle.dim((index === 0 ? label : '').padEnd(6))}  ${line}`)
    })
  }
  terminal.say(terminal.sayStyle.bold(`${oneLine(request.toolId)} needs your approval.`))
  show('input', printableJson(input))
  show('why', oneLine(request.message))
}
