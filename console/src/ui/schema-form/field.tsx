import type { ReactNode } from 'react'
import { Text, visibleText } from '../text.js'
import { setAt, type Path } from './draft.js'
import { errorsAt, FieldErrors, fieldId, valueAt, type FormState } from './form-state.js'
import { HiddenCharacters } from './hidden-characters.js'
import { JsonField } from './json-field.js'
import { fieldKind, isSchema, requiredOf, resolveSchema, type FieldKind, type Schema } from './read-schema.js'

export type { FormState }

interface FieldProps {
  readonly form: FormState
  readonly schema: Schema
  readonly path: Path
  readonly label: string
  readonly isRequired?: boolean
}

/** The field for a part of the schema, with its parts. */
export function Field(props: FieldProps): ReactNode {
  const { form, path, label } = props
  const schema = resolveSchema(props.schema, form.root)
  const value = valueAt(form.draft.value, path)
  const kind = fieldKind(schema, value)
  switch (kind.kind) {
    case 'object':
      return <ObjectField {...props} schema={schema} properties={kind.properties} />
    case 'list':
      return <ListField {...props} schema={schema} items={kind.items} />
    case 'json':
      return <JsonField form={form} path={path} label={visibleText(label)} />
    default:
      return <SimpleField {...props} schema={schema} kind={kind} />
  }
}

type SimpleKind = Extract<FieldKind, { kind: 'text' | 'number' | 'boolean' | 'choice' }>

function SimpleField(props: FieldProps & { readonly kind: SimpleKind }): ReactNode {
  const { form, schema, path, label, isRequired = false, kind } = props
  const id = fieldId(form, path)
  const value = valueAt(form.draft.value, path)
  return (
    <div className="field">
      <label htmlFor={id}>
        <Text>{label}</Text>
        {isRequired && <span className="muted"> (required)</span>}
      </label>
      <Control
        {...{ form, path, kind, isRequired }}
        attributes={{
          id,
          'aria-describedby': `${id}-help ${id}-errors`,
          'aria-invalid': errorsAt(form, path).length > 0,
        }}
      />
      {kind.kind === 'text' && typeof value === 'string' && <HiddenCharacters text={value} />}
      <Help id={`${id}-help`} schema={schema} />
      <FieldErrors form={form} path={path} />
    </div>
  )
}

interface ControlProps {
  readonly form: FormState
  readonly path: Path
  readonly kind: SimpleKind
  readonly isRequired: boolean
  readonly attributes: { readonly id: string; 'aria-describedby': string; 'aria-invalid': boolean }
}

function Control({ form, path, kind, isRequired, attributes }: ControlProps): ReactNode {
  const value = valueAt(form.draft.value, path)
  const set = (next: unknown): void => form.onChange(setAt(form.draft, path, next))
  if (kind.kind === 'boolean' || kind.kind === 'choice') {
    const options = kind.kind === 'boolean' ? [true, false] : kind.options
    const chosen = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value))
    return (
      <select
        className="input"
        {...attributes}
        value={chosen}
        onChange={(event) => set(options[Number(event.target.value)])}
      >
        {(!isRequired || chosen === -1) && <option value={-1}>not set</option>}
        {options.map((option, index) => (
          <option key={index} value={index}>
            {optionWords(option)}
          </option>
        ))}
      </select>
    )
  }
  const text = value === undefined || value === null ? '' : String(value)
  const type = (typed: string): void => {
    if (typed === '' && !isRequired) set(undefined)
    else set(kind.kind === 'number' ? toNumber(typed) : typed)
  }
  if (kind.kind === 'text' && kind.isLong)
    return (
      <textarea
        className="input code"
        rows={Math.min(14, Math.max(4, text.split('\n').length + 1))}
        {...attributes}
        value={text}
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
      />
    )
  return (
    <input
      className="input"
      autoComplete="off"
      spellCheck={false}
      inputMode={kind.kind === 'number' ? 'decimal' : 'text'}
      {...attributes}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}

/** A text that is no number yet stays as it was typed; the check says that it must be a number. */
function toNumber(typed: string): unknown {
  const number = Number(typed)
  return typed.trim() !== '' && Number.isFinite(number) && String(number) === typed.trim() ? number : typed
}

function optionWords(option: unknown): string {
  if (option === true) return 'yes'
  if (option === false) return 'no'
  return typeof option === 'string' ? visibleText(option) : JSON.stringify(option)
}

function ObjectField(
  props: FieldProps & { readonly properties: readonly (readonly [string, Schema])[] },
): ReactNode {
  const { form, schema, path, label, properties, isRequired = false } = props
  const value = valueAt(form.draft.value, path)
  if (value === undefined && !isRequired && path.length > 0)
    return (
      <div className="field">
        <button type="button" className="button" onClick={() => form.onChange(setAt(form.draft, path, {}))}>
          Add <Text>{label}</Text>
        </button>
      </div>
    )
  const required = requiredOf(schema)
  const known = new Set(properties.map(([name]) => name))
  const others = isSchema(value) ? Object.keys(value).filter((name) => !known.has(name)) : []
  return (
    <fieldset className={path.length === 0 ? 'fields' : 'fields nested'}>
      <legend className={path.length === 0 ? 'visually-hidden' : ''}>
        <Text>{label}</Text>
      </legend>
      <FieldErrors form={form} path={path} />
      {properties.map(([name, each]) => (
        <Field
          key={name}
          form={form}
          schema={each}
          path={[...path, name]}
          label={name}
          isRequired={required.includes(name)}
        />
      ))}
      {others.map((name) => (
        <JsonField key={name} form={form} path={[...path, name]} label={visibleText(name)} />
      ))}
    </fieldset>
  )
}

function ListField(props: FieldProps & { readonly items: Schema }): ReactNode {
  const { form, path, label, items, schema } = props
  const value = valueAt(form.draft.value, path)
  const members: readonly unknown[] = Array.isArray(value) ? value : []
  const add = (): void =>
    form.onChange(setAt(form.draft, [...path, members.length], emptyValue(items, form.root)))
  return (
    <fieldset className="fields nested">
      <legend>
        <Text>{label}</Text>
      </legend>
      <Help id={`${fieldId(form, path)}-help`} schema={schema} />
      <FieldErrors form={form} path={path} />
      {members.map((_, index) => (
        <div className="list-member" key={index}>
          <Field
            form={form}
            schema={items}
            path={[...path, index]}
            label={`${label} ${index + 1}`}
            isRequired
          />
          <button
            type="button"
            className="button"
            aria-label={`Remove ${visibleText(label)} ${index + 1}`}
            onClick={() => form.onChange(setAt(form.draft, [...path, index], undefined))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" className="button" onClick={add}>
        Add
      </button>
    </fieldset>
  )
}

function emptyValue(items: Schema, root: Schema): unknown {
  const schema = resolveSchema(items, root)
  if ('default' in schema) return schema['default']
  switch (fieldKind(schema, undefined).kind) {
    case 'object':
      return {}
    case 'list':
      return []
    case 'boolean':
      return false
    case 'json':
      return null
    default:
      return ''
  }
}

function Help({ id, schema }: { readonly id: string; readonly schema: Schema }): ReactNode {
  const { description } = schema
  return (
    <div id={id} className="field-help">
      {typeof description === 'string' && <Text>{description}</Text>}
    </div>
  )
}
