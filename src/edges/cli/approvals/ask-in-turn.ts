import type { CribOptions } from '../../../crib/crib.js'
import type { AskPerson } from './approver-for.js'
import type { QuestionQueue } from './question-queue.js'

/** Who is asked at the terminal of a command. */
export interface AskedHere extends Pick<CribOptions, 'responder'> {
  approver?: AskPerson
}

/** Those who ask a person, one question after the other. */
export function askInTurn(
  { approver, responder }: AskedHere,
  {
    questions,
    isOver,
  }: { questions: QuestionQueue; /** Nothing more is going to start. */ isOver: () => boolean },
): AskedHere {
  const approveInTurn = (ask: AskPerson): AskPerson => {
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
