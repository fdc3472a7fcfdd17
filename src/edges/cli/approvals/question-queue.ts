import { createSerialQueue } from '../../../platform/async/create-serial-queue.js'

/** Questions to the person at the keyboard: one at a time, in the order of arrival. */
export interface QuestionQueue {
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>
  /** Resolves when no question is open: until then, nothing may be printed. */
  free(): Promise<void>
}

export function createQuestionQueue({
  onFirst,
  onLast,
}: {
  /** Called before a question if none was open. */
  onFirst(): void
  /** Called after an answer if no other question is queued. */
  onLast(): void
}): QuestionQueue {
  const questions = createSerialQueue()
  let open = 0

  async function askNow<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await question()
    } finally {
      open--
      if (open === 0) onLast()
    }
  }

  return {
    ask(question) {
      open++
      if (open === 1) onFirst()
      return questions.run(() => askNow(question))
    },
    async free() {
      while (open > 0) await questions.idle()
    },
  }
}
