import type { HookedRun } from './hook-ports.js'
import { cleanText } from '../secrets/clean.js'

/** The context that a hook adds for the conversation, redacted. */
export function contextOf(added: string | readonly string[], run: HookedRun): string[] {
  return [added].flat().map((text) => cleanText(String(text), run))
}
