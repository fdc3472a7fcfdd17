const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|javascript|sql|x-sh|graphql)\b|[^;]+\+(?:json|xml|yaml)\b|image\/svg\+xml)/i

/** Whether the bytes are text. */
export function isTextType(mediaType: string): boolean {
  return TEXT_TYPES.test(mediaType.trim())
}

export function isJsonType(mediaType: string): boolean {
  return /^(?:application\/json\b|[^;]+\+json\b)/i.test(mediaType.trim())
}
