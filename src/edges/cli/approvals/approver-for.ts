import { maskLeftSentence, restoreMasked } from '../../../approvals/restore-masked.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import { askPerson } from '../terminal/ask-person.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import { cutText, wrapText } from '../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { isInsideCall } from '../calls/refuse-inside-call.js'
import { readReply, type Reply } from './read-reply.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName, userName } from '../terminal/user-name.js'

/** What somebody is told of a call who is asked about it at a terminal. */
export interface AskedCall extends Pick<
  ApprovalRequest,
  'toolId' | 'input' | 'shownInput' | 'message' | 'suggestedUpdates' | 'signal'
> {
  readonly facts: Pick<ApprovalRequest['facts'], 'is_destructive'> &
    Partial<Pick<ApprovalRequest['facts'], 'origins'>>
  readonly touched: { readonly hosts: readonly string[] } | undefined
  /** Which hosts it talks to whatever its input says, where those are not among what is touched. */
  readonly tool?: { readonly hosts?: readonly string[] | undefined } | undefined
}

export type AskPerson = (call: AskedCall) => ApprovalAnswer | Promise<ApprovalAnswer>

/** Who is asked: everyone says yes to --yes, a person where there is a terminal, else nobody. */
export function approverFor(
  terminal: Terminal,
  {
    yes,
    hasSession = false,
  }: {
    yes: boolean
    /** There are more calls to come, for which a yes may hold. */
    hasSession?: boolean
  },
): AskPerson | undefined {
  if (yes) return () => ({ approved: true, by: `${userName()} (--yes)` })
  // A tool can have a terminal too, and would answer itself.
  if (!terminal.isInteractive || isInsideCall()) return undefined
  return async (request) => {
    const shown = request.shownInput
    const updates = request.suggestedUpdates.filter(
      ({ destination }) => hasSession || destination !== 'session',
    )
    const question: Question = { request, shown, updates, hasSession }
    describeRequest(question, terminal)
    return askUntilClear(question, terminal)
  }
}

interface Question {
  request: AskedCall
  /** The input with its secrets masked. */
  shown: unknown
  /** Those that can hold: without a session that goes on, none for a session. */
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

/** The input as it stands, to be changed in place. Masks that are left stand for what they hide. */
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
  // What only a default says is no warning: most tools of servers do not say.
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
