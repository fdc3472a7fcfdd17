import type { FieldError } from '../../api/problem.js'

/** What a person has filled in so far. It can be kept and shown again: nothing that was typed is lost. */
export interface FormDraft {
  readonly value: unknown
  /** JSON as it was typed, by the JSON Pointer of its field, while it is edited or cannot be read. */
  readonly texts: Readonly<Record<string, TypedText>>
}

interface TypedText {
  readonly text: string
  readonly problem?: string
}

export type Path = readonly (string | number)[]

export function createDraft(value: unknown): FormDraft {
  return { value, texts: {} }
}

/** The JSON texts of a draft that cannot be read, as errors of their fields. */
export function draftProblems(draft: FormDraft): readonly FieldError[] {
  return Object.entries(draft.texts).flatMap(([path, { problem }]) =>
    problem === undefined ? [] : [{ path, message: problem }],
  )
}

export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Another value at a path; undefined removes the field. Texts below the path are dropped. */
export function setAt(draft: FormDraft, path: Path, next: unknown): FormDraft {
  const pointer = pointerOf(path)
  const texts = Object.fromEntries(
    Object.entries(draft.texts).filter(([each]) => each !== pointer && !each.startsWith(`${pointer}/`)),
  )
  return { value: replaceAt(draft.value, path, next), texts }
}

/** JSON that is typed at a path. The value changes where the text can be read. */
export function typeJson(draft: FormDraft, path: Path, text: string): FormDraft {
  const parsed = parseJson(text)
  const next = 'value' in parsed ? setAt(draft, path, parsed.value) : draft
  const typed = 'value' in parsed ? { text } : { text, problem: parsed.problem }
  return { ...next, texts: { ...next.texts, [pointerOf(path)]: typed } }
}

/** The person leaves a JSON field: a text that can be read is not needed any more. */
export function leaveJson(draft: FormDraft, path: Path): FormDraft {
  const { [pointerOf(path)]: typed, ...others } = draft.texts
  return typed === undefined || typed.problem !== undefined ? draft : { ...draft, texts: others }
}

function parseJson(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function replaceAt(value: unknown, path: Path, next: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return next
  if (typeof first === 'number') {
    const items = Array.isArray(value) ? [...(value as unknown[])] : []
    if (rest.length === 0 && next === undefined) items.splice(first, 1)
    else items[first] = replaceAt(items[first], rest, next)
    return items
  }
  const fields: Record<string, unknown> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  const replaced = replaceAt(fields[first], rest, next)
  if (replaced === undefined) delete fields[first]
  // Not an assignment: a field may be called __proto__.
  else Object.defineProperty(fields, first, { value: replaced, ...PLAIN })
  return fields
}

const PLAIN = { writable: true, enumerable: true, configurable: true }
