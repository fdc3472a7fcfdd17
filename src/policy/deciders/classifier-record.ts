export type ClassifierPower = 'approve' | 'deny' | 'recommend'

/** The answer of one classifier about one call, as it is recorded. */
export interface ClassifierRecord {
  classifier_ref: string
  can: ClassifierPower[]
  verdict?: 'safe' | 'unsafe' | 'unsure'
  confidence?: number
  reason?: string
  /** Why there is no answer. */
  problem?: string
}
