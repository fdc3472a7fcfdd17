import type { Preview } from './preview-of.js'

/**
 * What the model gets: the preview, unless that had no room for the way to the rest. A few characters above a limit do
 * less harm than a result that nobody finds again.
 */
export function keepRefIn(
  { text, isWhole }: Preview,
  { uri, howToRead }: { uri: string | undefined; howToRead: string },
): string {
  return isWhole || uri === undefined || text.includes(uri) ? text : `[Cut. ${howToRead}]`
}
