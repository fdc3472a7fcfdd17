import type { ToolDraft } from '../tool-draft.js'

export interface PlacedText {
  readonly place: string
  readonly text: string
}

/** Deep enough for any schema written by a person. */
const MAX_DEPTH = 40
const MAX_TEXTS = 20_000

/** Every text of a tool that a model or a person may read, as its source sent it, with hidden characters. */
export function toolTexts(draft: ToolDraft): PlacedText[] {
  const { asSent } = draft
  return Object.entries({
    name: nativeName(draft),
    title: asSent?.['title'] ?? draft.title,
    description: asSent?.['description'] ?? draft.description,
    search_hint: draft.searchHint,
    input: asSent?.['inputSchema'] ?? draft.input.modelSchema,
    output: asSent?.['outputSchema'] ?? draft.output.schema,
    annotations: draft.annotations,
  })
    .flatMap(([place, value]) => placedTexts(value, place))
    .slice(0, MAX_TEXTS)
}

/** Every text in a value, keys too, each with its location. */
export function placedTexts(given: unknown, givenPlace: string): PlacedText[] {
  const texts: PlacedText[] = []
  const add = (value: unknown, place: string, depth = 0): void => {
    if (texts.length >= MAX_TEXTS || depth > MAX_DEPTH) return
    if (typeof value === 'string') texts.push({ place, text: value })
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.push({ place: `${place}/${key}`, text: key })
      add(inner, `${place}/${key}`, depth + 1)
    }
  }
  add(given, givenPlace)
  return texts
}

/** The name in its own protocol: ours always has plain characters. */
export function nativeName({ name, externalMappings }: ToolDraft): string {
  return externalMappings.find(({ tool_name }) => tool_name !== undefined)?.tool_name ?? name
}
