import { createValue, useValue } from '../../live/create-value.js'
import type { ToolcribApproval } from '../../api/types.js'
import type { FormDraft } from '../../ui/schema-form/draft.js'

/** What a reviewer has begun to write about one question. */
export interface AnswerDraft {
  readonly mode: 'read' | 'edit' | 'reject'
  readonly input?: FormDraft
  readonly content?: FormDraft
  readonly feedback: string
}

const EMPTY: AnswerDraft = { mode: 'read', feedback: '' }

const STORED_AS = 'toolcrib.drafts'
const MOST_STORED = 20

/**
 * Outside of the page: a draft outlives a look at another page, a new login, the answer of somebody else, and a reload of the
 * tab.
 */
const drafts = createValue(loadDrafts())

type Drafts = Readonly<Record<string, AnswerDraft>>

export function useDraft(id: string): [AnswerDraft, (change: Partial<AnswerDraft>) => void] {
  const all = useValue(drafts)
  return [
    all[id] ?? EMPTY,
    (change) => {
      const { [id]: before, ...others } = drafts.get()
      keep({ ...others, [id]: { ...EMPTY, ...before, ...change } })
    },
  ]
}

export function dropDraft(id: string): void {
  const { [id]: _, ...others } = drafts.get()
  keep(others)
}

/** Where a person has written something of their own: in the arguments, the form, or the reason. */
export function typedMode(draft: AnswerDraft, { input, form }: ToolcribApproval): AnswerDraft['mode'] {
  const isTyped = (typed: FormDraft | undefined, from: unknown): boolean =>
    typed !== undefined &&
    (Object.keys(typed.texts).length > 0 || JSON.stringify(typed.value) !== JSON.stringify(from))
  if (draft.mode !== 'edit' && draft.feedback.trim() !== '') return 'reject'
  if (form === undefined ? isTyped(draft.input, input) : isTyped(draft.content, {})) return 'edit'
  return draft.feedback.trim() === '' ? 'read' : 'reject'
}

function keep(next: Drafts): void {
  drafts.set(next)
  try {
    sessionStorage.setItem(
      STORED_AS,
      JSON.stringify(Object.fromEntries(Object.entries(next).slice(-MOST_STORED))),
    )
  } catch {
    // The storage is full: the drafts are kept until the tab is loaded again.
  }
}

function loadDrafts(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? '{}') as Drafts
  } catch {
    return {}
  }
}
