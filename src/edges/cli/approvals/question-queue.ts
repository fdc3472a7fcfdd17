/** Questions to the one person at the keyboard: one at a time, in the order in which they came. */
export interface QuestionQueue {
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>
  /** Resolves when nobody is being asked: until then, nothing may be printed. */
  free(): Promise<void>
}

export function createQuestionQueue({
  onFirst,
  onLast,
}: {
  /** Before a question, where none was open. */
  onFirst(): void
  /** After an answer, where no other question waits. */
  onLast(): void
}): QuestionQueue {
  let last: Promise<unknown> = Promise.resolve()
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
      const answer = last.then(() => askNow(question))
      last = answer.catch(() => {})
      return answer
    },
    async free() {
      while (open > 0) await last
    },
  }
}
