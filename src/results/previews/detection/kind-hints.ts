/** Hints about a text beside the text itself. */
export interface KindHints {
  mediaType?: string
  /** The type of the content block: text, log, diff, file … */
  blockType?: string
  /** The command line that wrote it. */
  command?: string
  exitCode?: number
  /** The name of the file that it was read from. */
  name?: string
}
