import type { JsonObject } from './protocol/json-rpc.js'
import { cleanLine } from '../../platform/text/clean-text.js'
import { cleanWords } from '../../platform/text/clean-words.js'
import { safeIcons, webLink } from '../../platform/text/web-link.js'

/**
 * A tool, prompt, resource or server description that is safe to show: without hidden characters, with web links only.
 * Returns the same object where nothing had to change. Calls still use the original name.
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

/** The same name where it has no hidden characters. */
export function shownName(name: string): string {
  const line = cleanLine(name)
  // Surrounding spaces alone do not change the name.
  return line === name.trim() ? name : line || 'unnamed'
}
