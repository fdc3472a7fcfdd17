import type { CallRun } from '../call-run.js'
import { cleanText } from '../secrets/clean.js'

/** What a hook adds for the conversation, as clean texts. */
export function contextOf(added: string | readonly string[], run: CallRun): string[] {
  return [added].flat().map((text) => cleanText(String(text), run))
}
