import type { JudgedFacts } from '../policy/decision.js'

export interface DescribedFacts extends Pick<
  JudgedFacts,
  'is_read_only' | 'is_destructive' | 'is_open_world'
> {
  /** Names of the facts that are defaults, as in records. */
  readonly undeclared?: readonly string[] | undefined
  /** The origin of each fact, while the call is judged. */
  readonly origins?: Readonly<Partial<Record<string, string>>> | undefined
}

/** The known facts of a call, for the person who answers: "may write; stays on this machine". */
export function describeFacts(facts: DescribedFacts): string {
  const words = [
    facts.is_read_only ? 'only reads' : 'may write',
    destructiveWords(facts),
    facts.is_open_world ? 'may reach other systems' : 'stays on this machine',
  ]
  return words.filter((word) => word !== undefined).join('; ')
}

function destructiveWords({
  is_destructive: isSo,
  undeclared = [],
  origins,
}: DescribedFacts): string | undefined {
  if (!isSo) return undefined
  const isDefault = undeclared.includes('is_destructive') || origins?.['is_destructive'] === 'default'
  return isDefault ? 'may be destructive' : 'destructive (cannot be undone)'
}
