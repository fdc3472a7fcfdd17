import type { StemsByField } from './confidence.js'
import type { Concept } from './find-concepts.js'
import type { FieldName, ToolFields } from './tool-fields.js'
import { splitWords } from './words/split-words.js'
import { stemOf } from './words/to-stems.js'

const MAX_WORDS = 6

const called: Readonly<Record<FieldName, string>> = {
  name: 'name',
  aliases: 'another name',
  title: 'title',
  hint: 'search hint',
  namespace: 'namespace',
  description: 'description',
  capabilities: 'capabilities',
  guidance: 'guidance',
  parameters: 'parameters',
}

/** Which words of the query were found where, for people and models: `send, email in name; report in description`. */
export function describeMatch(
  texts: ToolFields,
  { stems, concepts }: { stems: StemsByField; concepts: readonly Concept[] },
): string {
  const found = new Map<FieldName, string[]>()
  let words = 0
  for (const { word, alternatives } of concepts) {
    if (words === MAX_WORDS) break
    const place = firstPlace(stems, alternatives)
    if (!place) continue
    words++
    const said = place.kind === 'same' ? word : `${word} as ${wordOf(texts, place)}`
    const known = found.get(place.field)
    if (known) known.push(said)
    else found.set(place.field, [said])
  }
  if (found.size === 0) return 'similar in meaning'
  return [...found].map(([field, said]) => `${said.join(', ')} in ${called[field]}`).join('; ')
}

/** The field with the highest weight, for the alternative with the highest weight. */
function firstPlace(
  fields: StemsByField,
  alternatives: Concept['alternatives'],
): { field: FieldName; term: string; kind: string } | undefined {
  for (const { places, kind } of alternatives) {
    const field = [...fields].find(([, stems]) => stems.has(places.term))
    if (field) return { field: field[0], term: places.term, kind }
  }
  return undefined
}

/** The tool's own word: a stem is not readable. */
function wordOf(texts: ToolFields, { field, term }: { field: FieldName; term: string }): string {
  return splitWords(texts[field] ?? '').find((word) => stemOf(word) === term) ?? term
}
