import { expandReferences, type ReferenceContext } from './expand-references.js'

export interface ExpandedSettings<Settings> {
  readonly settings: Settings
  /** Variables of this process whose values are in the settings now. */
  readonly taken: readonly { readonly name: string; readonly value: string }[]
  /** A clause that says what is missing first, such as `the variable TOKEN is not set`. */
  readonly missing: string | undefined
}

/** Expands the references to variables in every text of the settings. */
export function expandSettings<Settings>(
  settings: Settings,
  context: ReferenceContext,
): ExpandedSettings<Settings> {
  const taken: { name: string; value: string }[] = []
  let missing: string | undefined
  const expand = <Value>(value: Value): Value => {
    if (typeof value === 'string') {
      const expanded = expandReferences(value, context)
      if (!expanded.ok) {
        missing ??= expanded.missing
        return value
      }
      taken.push(...expanded.taken)
      return expanded.text as Value
    }
    if (Array.isArray(value)) return value.map(expand) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, expand(member as unknown)]),
    ) as Value
  }
  return { settings: expand(settings), taken, missing }
}
