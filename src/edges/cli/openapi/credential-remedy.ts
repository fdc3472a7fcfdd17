/** What a person does about a missing credential. */
export interface CredentialRemedy {
  /** Ends with `run` where a command follows. */
  readonly words: string
  readonly command?: string | undefined
}

/** Splits a sentence such as `"shop" needs a credential (key): run toolcrib secrets set shop/key.` */
export function credentialRemedy(sentence: string): CredentialRemedy {
  const what = sentence.replace(/^"[^"]*" needs a credential \([^)]*\): /, '')
  const [, words = what, command] = /^(.*\brun) (.+?)\.?$/.exec(what) ?? []
  return { words, command }
}
