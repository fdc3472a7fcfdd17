import { nameOfRef } from '../../../platform/json/versioned-ref.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { describeApproval } from './describe-approval.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import { describeField, formFields } from '../forms/form-fields.js'
import { wrapText } from '../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { dateAndTime } from '../terminal/short-time.js'
import { approvalWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

const LABEL_COLUMNS = 11
const SCOPES = new Set(['session', 'always'])

/** One question with all facts for a decision. */
export function approvalLines(approval: ToolcribApproval, { style, columns }: Terminal): string[] {
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
  const factLines = (...labels: string[]): string[] =>
    rows.filter(({ label }) => labels.includes(label)).flatMap(({ label, text }) => fact(label, text))
  const updates = (decision.suggested_updates ?? []).map(describeUpdate)
  // Rule changes of longer answers: an offered one has its option beside it, another its own line.
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
    ...fact('queue', approval.queue),
    ...fact('for', approval.assigned_to?.join(', ')),
    ...deliveryFacts(approval).flatMap(([label, text]) => fact(label, text)),
    ...factLines('facts', 'reads', 'writes', 'hosts'),
    ...fact('why', approval.message),
    ...fact('decided by', [decision.source, ...(decision.rule_refs ?? []).map(nameOfRef)].join(' ')),
    ...fact('asked', dateAndTime(approval.created_at)),
    ...fact('open until', dateAndTime(approval.expires_at)),
    ...block('Input', approval.input),
    ...(approval.form ? ['', style.bold('Form'), ...formLines(approval.form, columns)] : []),
    ...(updates.length > 0 ? ['', style.bold('Changes of rules that may be accepted with it')] : []),
    ...updates.map((update, index) => `  ${index + 1}  ${update}${optionsOf(update)}`),
    ...scopes.filter(({ text }) => !updates.includes(text)).flatMap(({ label, text }) => fact(label, text)),
    ...(answer ? ['', ...fact(answerWord(approval), `by ${answer.by}, ${dateAndTime(answer.at)}`)] : []),
    ...(answer ? fact('said', answer.feedback) : []),
    ...(answer?.user_modified ? block('Input instead', answer.input) : []),
    ...(answer && 'content' in answer ? block('Answer', answer.content) : []),
  ]
}

function answerWord({ form, answer }: ToolcribApproval): string {
  return answer?.approved ? (form ? 'answered' : 'approved') : 'denied'
}

/** How the question was made known, and who answered too late. */
function deliveryFacts({ delivery = {} }: ToolcribApproval): [string, string | undefined][] {
  const { announced_at: sent, reminded_at: reminded, reminders, problem, late_answers: late = [] } = delivery
  return [
    ['sent out', sent && dateAndTime(sent)],
    ['not sent', problem],
    ['reminded', reminded && `${reminders} times, last ${dateAndTime(reminded)}`],
    ...late.map(({ by, at }): [string, string] => [
      'too late',
      `${by} answered ${dateAndTime(at)}, which changed nothing`,
    ]),
  ]
}

function formLines(form: NonNullable<ToolcribApproval['form']>, columns: number): string[] {
  return formFields(form).flatMap((field) => {
    const words = field.description === undefined ? '' : `  ${field.description}`
    return wrapText(`${describeField(field)}${words}`, columns - 2).map((line) => `  ${line}`)
  })
}
