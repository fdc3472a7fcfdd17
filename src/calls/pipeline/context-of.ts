import { scrubText } from '../../foundation/redaction/scrub.js'

/** What a hook adds for the conversation, as clean texts. */
export function contextOf(added: string | readonly string[], secrets: readonly string[]): string[] {
  return [added].flat().map((text) => scrubText(String(text), secrets))
}
