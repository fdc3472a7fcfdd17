import type { JudgedFacts } from '../policy/decision.js'

/** What is known of a call, for whoever answers: "may write; stays on this machine". */
export function describeFacts(
  facts: Pick<JudgedFacts, 'is_read_only' | 'is_destructive' | 'is_open_world'>,
): string {
  const words = [
    facts.is_read_only ? 'only reads' : 'may write',
    destructiveWords(facts),
    facts.is_open_world ? 'may reach other systems' : 'stays on this machine',
  ]
  return words.filter((word) => word !== undefined).join('; ')
}

function destructiveWords({ is_destructive: isSo, undeclared }: NonNullable<ToolcribApproval['facts']>) {
  if (!isSo) return undefined
  return undeclared?.includes('is_destructive') ? 'may be destructive' : 'destructive (cannot be undone)'
}
