/** What is known about a text besides the text. */
export interface KindHints {
  mediaType?: string
  /** The class of the content block: text, log, diff, file … */
  blockType?: string
  /** The command line whose output it is. */
  command?: string
  exitCode?: number
  /** The name of the file that it is the content of. */
  name?: string
}
