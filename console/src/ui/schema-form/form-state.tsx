import type { ReactNode } from 'react'
import type { FieldError } from '../../api/problem.js'
import { pointerOf, type FormDraft, type Path } from './draft.js'
import type { Schema } from './read-schema.js'

/** What every field of a form gets. */
export interface FormState {
  readonly id: string
  readonly root: Schema
  readonly draft: FormDraft
  readonly onChange: (draft: FormDraft) => void
  readonly errors: readonly FieldError[]
}

export function fieldId(form: FormState, path: Path): string {
  return `${form.id}${pointerOf(path)}`
}

export function errorsAt(form: FormState, path: Path): readonly FieldError[] {
  const pointer = pointerOf(path)
  return form.errors.filter((error) => error.path === pointer)
}

export function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined
    current = (current as Record<string | number, unknown>)[part]
  }
  return current
}

export function FieldErrors({ form, path }: { readonly form: FormState; readonly path: Path }): ReactNode {
  const errors = errorsAt(form, path)
  return (
    <div id={`${fieldId(form, path)}-errors`} className="field-errors" aria-live="polite">
      {errors.map(({ message }, index) => (
        <p key={index}>{message}</p>
      ))}
    </div>
  )
}
