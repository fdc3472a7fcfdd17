import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { AnswerChannel, AnswerTaken, ChannelAnswer, TakeAnswer } from '../../../catalog/answered-by.js'
import { isDue } from '../../../approvals/may-be-answered.js'
import type { AnswerOptions, AnswerOutcome } from '../answer-approval.js'
import { readApproval, waitingFor } from '../approval-documents.js'
import type { ApprovalsParts } from '../approvals-parts.js'

const LISTEN_AGAIN_MS = 5_000
/** How long answers to a question that ran out of time are received, so that they are recorded. */
const LATE_MS = 15 * 60_000

export interface ChannelParts extends Pick<ApprovalsParts, 'store' | 'catalog' | 'tenant' | 'now'> {
  /** Answers as the channel, which the tool names; the reviewers of the crib do not matter. */
  answer(id: string, given: AnswerOptions): Promise<AnswerOutcome>
}

/** Listens for the answers of each tool while one of its questions is open. */
export interface AnswerChannels {
  hold(approval: ToolcribApproval): void
  release(approval: ToolcribApproval): void
  close(): void
}

interface OpenChannel {
  readonly end: AbortController
  readonly questions: Map<string, ToolcribApproval>
}

export function createAnswerChannels(parts: ChannelParts): AnswerChannels {
  const byTool = new Map<string, OpenChannel>()

  const channelOf = (toolId: string): AnswerChannel | undefined =>
    parts.catalog.get(toolId)?.draft.answeredBy?.answers

  function open(toolId: string): OpenChannel {
    const opened: OpenChannel = { end: new AbortController(), questions: new Map() }
    const { signal } = opened.end
    // Looked up each time: the tool may have changed since its channel failed.
    void listenOn(async () => {
      const channel = channelOf(toolId)
      if (!channel) throw new Error('The tool has no channel now.')
      const take: TakeAnswer = (answer) =>
        takeAnswer(parts, { toolId, channel, answer, known: opened.questions })
      await channel.listen(take, signal)
    }, signal)
    return opened
  }

  function end({ tool_id: toolId, approval_id: id }: ToolcribApproval): void {
    const opened = byTool.get(toolId)
    if (!opened?.questions.delete(id) || opened.questions.size > 0) return
    byTool.delete(toolId)
    opened.end.abort()
  }

  return {
    hold(approval) {
      const { tool_id: toolId } = approval
      if (!channelOf(toolId)) return
      let opened = byTool.get(toolId)
      if (!opened) byTool.set(toolId, (opened = open(toolId)))
      opened.questions.set(approval.approval_id, approval)
    },
    release(approval) {
      if (isDue(approval, parts.now())) setTimeout(end, LATE_MS, approval).unref()
      else end(approval)
    },
    close() {
      for (const { end: ended } of byTool.values()) ended.abort()
      byTool.clear()
    },
  }
}

/** A channel that fails is listened to again: the question may be open for days. */
async function listenOn(listen: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await listen()
    } catch {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LISTEN_AGAIN_MS).unref()
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      })
    }
  }
}

interface Arrived {
  readonly toolId: string
  readonly channel: AnswerChannel
  readonly answer: ChannelAnswer
  readonly known: ReadonlyMap<string, ToolcribApproval>
}

async function takeAnswer(
  parts: ChannelParts,
  { toolId, channel, answer, known }: Arrived,
): Promise<AnswerTaken> {
  const approval = await findAsked(parts, answer.correlationId, known)
  // The channel of one tool answers only questions of this tool.
  if (approval?.tool_id !== toolId || approval.form === undefined)
    return notTaken('No question of this tool has that id.', { isKnown: false, isOpen: false })
  const { rejected, content } = answer
  const given = rejected
    ? { approved: false, ...(rejected.feedback !== undefined && { feedback: String(rejected.feedback) }) }
    : { approved: true, content }
  const { approval_id: id, invocation_id: invocationId, tenant } = approval
  try {
    const outcome = await parts.answer(id, { ...given, by: channel.name, invocationId, tenant })
    if (outcome.ok) return { taken: true }
    const { error_code: code, message } = outcome.error
    return notTaken(message, { isKnown: true, isOpen: code === 'toolcrib.answer_invalid' })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return notTaken(error.message, { isKnown: true, isOpen: true })
  }
}

function notTaken(message: string, { isKnown, isOpen }: { isKnown: boolean; isOpen: boolean }): AnswerTaken {
  return { taken: false, isKnown, isOpen, message }
}

/** By the id of the approval or of the call; also a question of another process that shares the store. */
async function findAsked(
  { store, tenant }: ChannelParts,
  correlationId: unknown,
  known: ReadonlyMap<string, ToolcribApproval>,
): Promise<ToolcribApproval | undefined> {
  if (typeof correlationId !== 'string' || correlationId === '') return undefined
  const here = [...known.values()].find(
    ({ approval_id: id, invocation_id: call }) => id === correlationId || call === correlationId,
  )
  if (here) return here
  const found = await readApproval(store, tenant, correlationId)
  if (found) return found.kept.approval
  const asked = waitingFor(await store.readStream(tenant, correlationId))?.approvalId
  return asked === undefined ? undefined : (await readApproval(store, tenant, asked))?.kept.approval
}
