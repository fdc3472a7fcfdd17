import { maskLeftSentence, restoreMasked } from '../../../approvals/restore-masked.js'
import { userName } from '../../../platform/processes/user-name.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import type { JsonSchema } from '../../../contract/json-schema.js'
import { fillForm } from '../forms/fill-form.js'
import { askPerson } from '../terminal/ask-person.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import { cutText, wrapText } from '../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { isInsideCall } from '../../../host/is-inside-call.js'
import { readReply, type Reply } from './read-reply.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../../../host/actor-of.js'

/** The facts of a call that the terminal shows with the question. */
export interface AskedCall extends Pick<
  ApprovalRequest,
  'toolId' | 'input' | 'shownInput' | 'message' | 'suggestedUpdates' | 'signal' | 'form' | 'problem'
> {
  readonly facts: Pick<ApprovalRequest['facts'], 'is_destructive'> &
    Partial<Pick<ApprovalRequest['facts'], 'origins'>>
  readonly touched: { readonly hosts: readonly string[] } | undefined
  /** Hosts that the tool contacts with every input, where they are not among the touched resources. */
  readonly tool?: { readonly hosts?: readonly string[] | undefined } | undefined
}

export type AskPerson = (call: AskedCall) => ApprovalAnswer | Promise<ApprovalAnswer>

/** The approver of a command: --yes approves everything, a person is asked at a terminal, otherwise there is none. */
export function approverFor(
  terminal: Terminal,
  {
    yes,
    hasSession = false,
  }: {
    yes: boolean
    /** Whether more calls follow, for which a session approval can hold. */
    hasSession?: boolean
  },
): AskPerson | undefined {
  // A tool can have a terminal too, and would answer its own question.
  const isAsked = terminal.isInteractive && !isInsideCall()
  // A form has no yes: it is filled in, or waits for a reviewer.
  if (yes) {
    const approve = { approved: true, by: `${userName()} (--yes)` } as const
    return (request) => (request.form && isAsked ? fillIn(request, request.form, terminal) : approve)
  }
  if (!isAsked) return undefined
  return async (request) => {
    if (request.form) return fillIn(request, request.form, terminal)
    const shown = request.shownInput
    const updates = request.suggestedUpdates.filter(
      ({ destination }) => hasSession || destination !== 'session',
    )
    const question: Question = { request, shown, updates, hasSession }
    describeRequest(question, terminal)
    return askUntilClear(question, terminal)
  }
}

/** Asks for each field. A person who leaves rejects the question, as without a yes. */
async function fillIn(
  { toolId, shownInput, signal, problem }: AskedCall,
  form: JsonSchema,
  terminal: Terminal,
): Promise<ApprovalAnswer> {
  if (problem === undefined) {
    terminal.say(terminal.sayStyle.bold(`${oneLine(toolId)} needs your answer; Ctrl-D denies it.`))
    for (const line of wrapText(`input  ${printableJson(shownInput)}`, terminal.columns - 2))
      terminal.say(`  ${line}`)
  } else terminal.say(terminal.sayStyle.bad(oneLine(problem)))
  const filled = await fillForm(form, { terminal, signal })
  if (!filled)
    return { approved: false, by: personName(), feedback: 'The person at the terminal did not answer.' }
  return { approved: true, by: personName(), content: filled.content }
}

interface Question {
  request: AskedCall
  /** The input with its secrets masked. */
  shown: unknown
  /** The offers that can take effect: without a session that continues, none for a session. */
  updates: ApprovalRequest['suggestedUpdates']
  hasSession: boolean
}

async function askUntilClear(question: Question, terminal: Terminal): Promise<ApprovalAnswer> {
  const { request, shown, updates, hasSession } = question
  const { signal } = request
  const by = personName()
  for (;;) {
    const line = await askPerson(`Run ${oneLine(request.toolId)}? [y/N] `, { signal, terminal })
    const reply = readReply(line ?? '', updates.length, { hasSession })
    switch (reply.kind) {
      case 'unclear':
        terminal.say(reply.say)
        break
      case 'help':
        describeRequest(question, terminal)
        break
      case 'edit': {
        const input = await askInput(shown, request, terminal)
        if (input) return { approved: true, by, updatedInput: input.value }
        break
      }
      default:
        return toAnswer(reply, updates, by)
    }
  }
}

function toAnswer(
  reply: Extract<Reply, { kind: 'yes' | 'no' }>,
  updates: ApprovalRequest['suggestedUpdates'],
  by: string,
): ApprovalAnswer {
  if (reply.kind === 'no')
    return { approved: false, by, ...(reply.feedback !== '' && { feedback: reply.feedback }) }
  const update = reply.update === undefined ? undefined : updates[reply.update - 1]
  return { approved: true, by, scope: reply.scope, ...(reply.scope !== 'once' && update && { update }) }
}

/** Lets the person edit the input in place. Masks that stay in the text stand for the values that they hide. */
async function askInput(
  shown: unknown,
  { input, signal }: AskedCall,
  terminal: Terminal,
): Promise<{ value: unknown } | undefined> {
  const line = await askPerson('Input: ', { signal, terminal, start: JSON.stringify(shown) })
  if (line === undefined || line.trim() === '') return undefined
  let edited: unknown
  try {
    edited = JSON.parse(line)
  } catch {
    terminal.say('That is not JSON; nothing was changed.')
    return undefined
  }
  const restored = restoreMasked(input, shown, edited)
  if ('value' in restored) return restored
  terminal.say(maskLeftSentence(restored))
  return undefined
}

function describeRequest({ request, shown, updates, hasSession }: Question, terminal: Terminal): void {
  const width = terminal.columns - 10
  const show = (label: string, text: string): void => {
    wrapText(text, width).forEach((line, index) => {
      terminal.say(`  ${terminal.sayStyle.dim((index === 0 ? label : '').padEnd(6))}  ${line}`)
    })
  }
  terminal.say(terminal.sayStyle.bold(`${oneLine(request.toolId)} needs your approval.`))
  show('input', printableJson(shown))
  show('why', oneLine(request.message))
  const { facts, touched, tool } = request
  const hosts = [...new Set([...(touched?.hosts ?? []), ...(tool?.hosts ?? [])])]
  // A default is no warning: most tools of servers declare nothing.
  if (facts.is_destructive && facts.origins?.is_destructive !== 'default')
    show('does', 'destructive: what it changes cannot be brought back')
  if (hosts.length > 0) show('hosts', oneLine(hosts.join(', ')))
  updates.forEach((update, index) =>
    show(index === 0 ? 'rules' : '', cutText(`${index + 1}  ${describeUpdate(update)}`, width)),
  )
  const session = hasSession ? ', s [number]: yes for this session' : ''
  const more = updates.length > 0 ? `${session}, a [number]: yes for always` : ''
  show('', terminal.sayStyle.dim(`y: yes, e: edit the input, n <why>: no${more}`))
}
