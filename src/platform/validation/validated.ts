export interface Issue {
  /** JSON pointer into the value that was checked; '' is the value itself. */
  path: string
  /** Plain words that complete "the value …". Never repeats the offending value: it may be a secret. */
  message: string
}

export type Validated =
  | {
      ok: true
      value: unknown
      /** It was not checked, or not completely: the schema cannot be used here, or would take too long. */
      unchecked?: true
    }
  | { ok: false; issues: Issue[] }

export type Validate = (value: unknown) => Validated | Promise<Validated>

/** More would not help to repair the value, and a hostile value could cause millions. */
export const maxIssues = 10
