import type { JsonObject } from './protocol/json-rpc.js'
import { cleanLine } from '../../platform/text/clean-text.js'
import { cleanWords } from '../../platform/text/clean-words.js'
import { safeIcons, webLink } from '../../platform/text/web-link.js'

/**
 * A tool, prompt, resource or the server itself as it describes it, fit to be shown: nothing is hidden in its words, its
 * links lead to the web. The very same one where it was so before. Whoever calls it uses the name as it was.
 */
export function cleanDefinition(raw: JsonObject): JsonObject {
  const worded = cleanWords(raw)
  const { name, icons, websiteUrl } = worded
  const shown = typeof name === 'string' ? shownName(name) : name
  const kept = icons === undefined ? undefined : (safeIcons(icons) ?? [])
  const isSafe = websiteUrl === undefined || webLink(websiteUrl) !== undefined
  if (shown === name && kept === icons && isSafe) return worded
  const { websiteUrl: _, ...rest } = worded
  return {
    ...(isSafe ? worded : rest),
    ...(shown !== undefined && { name: shown }),
    ...(kept !== undefined && { icons: kept }),
  }
}

/** The name itself where nothing hides in it. */
export function shownName(name: string): string {
  const line = cleanLine(name)
  // Spaces alone are no reason for another name.
  return line === name.trim() ? name : line || 'unnamed'
}
