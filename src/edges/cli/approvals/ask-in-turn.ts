import type { CribOptions } from '../../../crib/crib.js'
import type { AskPerson } from './approver-for.js'
import type { QuestionQueue } from './question-queue.js'

/** The approver and responder at the terminal of a command. */
export interface AskedHere extends Pick<CribOptions, 'responder'> {
  approver?: AskPerson
}

/** Wraps an approver and a responder so that they ask one question after the other. */
export function askInTurn(
  { approver, responder }: AskedHere,
  {
    questions,
    isOver,
  }: { questions: QuestionQueue; /** Nothing more is going to start. */ isOver: () => boolean },
): AskedHere {
  const approveInTurn = (ask: AskPerson): AskPerson => {
    return (request) => {
      // Read at once: `signal` is a getter that starts to follow the call, which may end before its turn comes.
      const { signal } = request
      return questions.ask(async () => (signal.aborted || isOver() ? { approved: false } : ask(request)))
    }
  }
  return {
    ...(approver && { approver: approveInTurn(approver) }),
    ...(responder && { responder: (request) => questions.ask(() => responder(request)) }),
  }
}
