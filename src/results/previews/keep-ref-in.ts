import type { Preview } from './preview-of.js'

/**
 * The text for the model: the preview, and the ref where the preview had no space for it. A few characters above a
 * limit do less harm than a result that cannot be found again.
 */
export function keepRefIn(
  { text, isWhole }: Preview,
  { uri, howToRead }: { uri: string | undefined; howToRead: string },
): string {
  return isWhole || uri === undefined || text.includes(uri) ? text : `[Cut. ${howToRead}]`
}
