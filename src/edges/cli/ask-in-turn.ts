import type { Approver } from '../../judgement/policy/decision.js'
import type { CribOptions } from '../../runtime/crib.js'
import type { QuestionQueue } from './question-queue.js'

/** Those who ask a person, one question after the other. */
export function askInTurn(
  { approver, responder }: Pick<CribOptions, 'approver' | 'responder'>,
  {
    questions,
    isOver,
  }: { questions: QuestionQueue; /** Nothing more is going to start. */ isOver: () => boolean },
): Pick<CribOptions, 'approver' | 'responder'> {
  const approveInTurn = (ask: Approver): Approver => {
    return (request) => {
      // Read now: it must have heard of the end of its call before its turn comes.
      const { signal } = request
      return questions.ask(async () => (signal.aborted || isOver() ? { approved: false } : ask(request)))
    }
  }
  return {
    ...(approver && { approver: approveInTurn(approver) }),
    ...(responder && { responder: (request) => questions.ask(() => responder(request)) }),
  }
}
