import type { ReactNode } from 'react'
import { leaveJson, pointerOf, typeJson, type Path } from './draft.js'
import { HiddenCharacters } from './hidden-characters.js'
import { FieldErrors, fieldId, type FormState, valueAt } from './form-state.js'

interface JsonFieldProps {
  readonly form: FormState
  readonly path: Path
  readonly label: string
  readonly rows?: number
}

/** A value that is edited as JSON. */
export function JsonField({ form, path, label, rows }: JsonFieldProps): ReactNode {
  const { draft, onChange } = form
  const value = valueAt(draft.value, path)
  const text =
    draft.texts[pointerOf(path)]?.text ?? (value === undefined ? '' : JSON.stringify(value, null, 2))
  const id = fieldId(form, path)
  const least = rows ?? (path.length === 0 ? 14 : 4)
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} <span className="muted">(JSON)</span>
      </label>
      <textarea
        id={id}
        className="input code"
        rows={Math.min(24, Math.max(least, text.split('\n').length + 1))}
        value={text}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${id}-errors`}
        onChange={(event) => onChange(typeJson(draft, path, event.target.value))}
        onBlur={() => onChange(leaveJson(draft, path))}
      />
      <HiddenCharacters text={text} />
      <FieldErrors form={form} path={path} />
    </div>
  )
}
