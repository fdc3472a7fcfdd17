import { createValue, useValue } from '../../live/create-value.js'
import type { FormDraft } from '../../ui/schema-form/draft.js'

/** What a reviewer has begun to write about one question. */
export interface AnswerDraft {
  readonly mode: 'read' | 'edit' | 'reject'
  readonly input?: FormDraft
  readonly content?: FormDraft
  readonly feedback: string
}

const EMPTY: AnswerDraft = { mode: 'read', feedback: '' }

/** Outside of the page: a draft outlives a look at another page, a new login, and the answer of somebody else. */
const drafts = createValue<Readonly<Record<string, AnswerDraft>>>({})

export function useDraft(id: string): [AnswerDraft, (change: Partial<AnswerDraft>) => void] {
  const all = useValue(drafts)
  return [
    all[id] ?? EMPTY,
    (change) => {
      const current = drafts.get()
      drafts.set({ ...current, [id]: { ...EMPTY, ...current[id], ...change } })
    },
  ]
}

export function dropDraft(id: string): void {
  const { [id]: _, ...others } = drafts.get()
  drafts.set(others)
}
