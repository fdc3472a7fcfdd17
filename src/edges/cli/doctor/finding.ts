/** What one check of the doctor found. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  check: string
  status: 'ok' | 'problem'
  message: string
  /** The command to type next. */
  next?: string
}
