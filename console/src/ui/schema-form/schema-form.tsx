import { useId, useState, type ReactNode } from 'react'
import type { FieldError } from '../../api/problem.js'
import { draftProblems, type FormDraft } from './draft.js'
import { Field, type FormState } from './field.js'
import { JsonField } from './json-field.js'
import type { Schema } from './read-schema.js'

interface SchemaFormProps {
  /** Absent: the value is edited as JSON. */
  readonly schema: Schema | undefined
  readonly draft: FormDraft
  readonly onChange: (draft: FormDraft) => void
  readonly errors: readonly FieldError[]
  readonly label: string
}

/** A form for a value with a schema, or its JSON. Errors stand at their fields; those without a field stand below. */
export function SchemaForm({ schema, draft, onChange, errors, label }: SchemaFormProps): ReactNode {
  const [isJson, setJson] = useState(schema === undefined)
  const id = useId()
  const all = [...draftProblems(draft), ...errors]
  const form: FormState = { id, root: schema ?? {}, draft, onChange, errors: all }
  return (
    <div className="schema-form">
      {schema !== undefined && (
        <div className="segments" role="group" aria-label="How to edit">
          <button type="button" aria-pressed={!isJson} onClick={() => setJson(false)}>
            Form
          </button>
          <button type="button" aria-pressed={isJson} onClick={() => setJson(true)}>
            JSON
          </button>
        </div>
      )}
      {isJson || schema === undefined ? (
        <JsonField form={form} path={[]} label={label} rows={14} />
      ) : (
        <Field form={form} schema={schema} path={[]} label={label} isRequired />
      )}
      {isJson && <LooseErrors errors={all.filter(({ path }) => path !== '')} />}
    </div>
  )
}

function LooseErrors({ errors }: { readonly errors: readonly FieldError[] }): ReactNode {
  if (errors.length === 0) return null
  return (
    <ul className="field-errors" role="alert">
      {errors.map(({ path, message }, index) => (
        <li key={index}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  )
}
