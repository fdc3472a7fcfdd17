import type { AdmittedCallers, ServeToken } from '../../host/serving/admission.js'
import { sameJson } from '../../platform/json/same-json.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { tokenCallers } from './auth/token-table.js'
import type { Caller } from './caller.js'

type Given = Pick<AdmittedCallers, 'tokens' | 'owner'>

/** The tokens of a config, of a command and of the data folder: those that no store has. */
export interface GivenTokens {
  /** By the SHA-256 digests of the tokens, in hex. */
  callers(): ReadonlyMap<string, Caller>
  /** Whether a token was valid once and is not any more. */
  hasEnded(digest: string): boolean
  /** Those of the config. */
  ofConfig(): readonly ServeToken[]
  ownerDigest(): string | undefined
  /** Returns what is wrong with those that are left out. */
  replace(now: Given): string[]
  /** Calls back with the digests of tokens that have ended, or that are those of another caller now. */
  watch(changed: (ended: readonly string[]) => void): () => void
}

export function createGivenTokens(first: Given): GivenTokens {
  const listeners = new Set<(ended: readonly string[]) => void>()
  const ended = new Set<string>()
  let given = first
  let callers = tokenCallers(allOf(first))

  return {
    callers: () => callers,
    hasEnded: (digest) => ended.has(digest),
    ofConfig: () => given.tokens.filter(({ name }) => name !== undefined),
    ownerDigest: () => [...callers].find(([, { isOwner }]) => isOwner)?.[0],
    replace(now) {
      const before = callers
      const problems: string[] = []
      given = { ...now, tokens: usable(now, problems) }
      callers = tokenCallers(allOf(given))
      const changed = [...before].filter(([digest, caller]) => !sameJson(caller, callers.get(digest)))
      for (const [digest] of changed) ended.add(digest)
      for (const digest of callers.keys()) ended.delete(digest)
      for (const listener of listeners) listener(changed.map(([digest]) => digest))
      return problems
    },
    watch(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
  }
}

function allOf({ tokens, owner }: Given): ServeToken[] {
  return owner ? [owner, ...tokens] : [...tokens]
}

/** Without tokens that cannot be read, or that another one has already. */
function usable({ tokens, owner }: Given, problems: string[]): ServeToken[] {
  const kept: ServeToken[] = []
  for (const token of tokens) {
    try {
      tokenCallers(allOf({ tokens: [...kept, token], owner }))
      kept.push(token)
    } catch (error) {
      problems.push(errorMessage(error))
    }
  }
  return kept
}
