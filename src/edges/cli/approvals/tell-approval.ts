import { nameOfRef } from '../../../platform/json/versioned-ref.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { describeApproval } from './describe-approval.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import { wrapText } from '../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { dateAndTime } from '../terminal/short-time.js'
import { approvalWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

const LABEL_COLUMNS = 11
const SCOPES = new Set(['session', 'always'])

/** One question, with all that somebody needs who answers it. */
export function tellApproval(approval: ToolcribApproval, { style, columns }: Terminal): string[] {
  const { decision, answer, requested_by: by, status } = approval
  const fact = (label: string, text: string | undefined): string[] =>
    text === undefined || text === ''
      ? []
      : wrapText(oneLine(text), columns - LABEL_COLUMNS - 2).map(
          (line, index) => `  ${style.dim((index === 0 ? label : '').padEnd(LABEL_COLUMNS))}${line}`,
        )
  const block = (title: string, value: unknown): string[] => [
    '',
    style.bold(title),
    ...printableJson(value ?? null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
  ]
  const rows = describeApproval(approval)
  const told = (...labels: string[]): string[] =>
    rows.filter(({ label }) => labels.includes(label)).flatMap(({ label, text }) => fact(label, text))
  const updates = (decision.suggested_updates ?? []).map(describeUpdate)
  // What an answer for longer would change: one of those on offer has its option beside it, another its own line.
  const scopes = status === 'pending' ? rows.filter(({ label }) => SCOPES.has(label)) : []
  const optionsOf = (update: string): string => {
    const options = scopes.filter(({ text }) => text === update).map(({ label }) => `--${label}`)
    return options.length === 0 ? '' : `  (${options.join(', ')})`
  }
  return [
    `${style.bold(oneLine(approval.title))}  ${approvalWord(status)}`,
    ...fact('approval', approval.approval_id),
    ...fact('call', approval.invocation_id),
    ...fact('tool', approval.tool_id),
    ...fact('does', approval.description),
    ...fact('client', by.client),
    ...fact('asked by', [by.actor, ...by.above].filter((each) => each !== undefined).join(' below ')),
    ...fact('session', approval.session),
    ...told('facts', 'reads', 'writes', 'hosts'),
    ...fact('why', approval.message),
    ...fact('decided by', [decision.source, ...(decision.rule_refs ?? []).map(nameOfRef)].join(' ')),
    ...fact('asked', dateAndTime(approval.created_at)),
    ...fact('open until', dateAndTime(approval.expires_at)),
    ...block('Input', approval.input),
    ...(updates.length > 0 ? ['', style.bold('Changes of rules that may be accepted with it')] : []),
    ...updates.map((update, index) => `  ${index + 1}  ${update}${optionsOf(update)}`),
    ...scopes.filter(({ text }) => !updates.includes(text)).flatMap(({ label, text }) => fact(label, text)),
    ...(answer
      ? ['', ...fact(answer.approved ? 'approved' : 'denied', `by ${answer.by}, ${dateAndTime(answer.at)}`)]
      : []),
    ...(answer ? fact('said', answer.feedback) : []),
    ...(answer?.user_modified ? block('Input instead', answer.input) : []),
  ]
}
