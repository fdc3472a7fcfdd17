export interface Rule {
  readonly level: 'error' | 'warning'
  /** What is wrong, in a few words. */
  readonly title: string
  /** What to do, as one sentence. */
  readonly advice: string
}

export const error = (title: string, advice: string): Rule => ({ level: 'error', title, advice })
export const warning = (title: string, advice: string): Rule => ({ level: 'warning', title, advice })
