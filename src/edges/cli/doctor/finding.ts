/** What one check of the doctor found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  check: string
  status: 'ok' | 'problem'
  message: string
  /** The command to type next. */
  next?: string
}
