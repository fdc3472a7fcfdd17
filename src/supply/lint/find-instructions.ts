/** How descriptions read that talk to the model about something else than their tool. */
const SIGNS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|system|all other|other|existing)\b.{0,20}\b(?:instructions?|prompts?|rules?|messages?|directions?|guidelines?|tools?)\b/i,
    'tells the model to ignore what it was told',
  ],
  [
    /\b(?:do not|don'?t|never|without|must not|should not)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|alert|alerting)\b.{0,24}\b(?:users?|humans?|persons?|people|anyone|anybody)\b/i,
    'tells the model to keep something from the user',
  ],
  [
    /\b(?:before|prior to|whenever|instead of)\b.{0,15}\b(?:using|calling|invoking|running|executing)\b.{0,12}\b(?:any|every|all|each)\b.{0,12}\btools?\b/i,
    'wants to come before other tools',
  ],
  [
    /<\s*\/?\s*(?:important|system|secret|instructions?|hidden|admin|assistant)\s*>/i,
    'has a mark that gives it weight',
  ],
  [/<!--/, 'has a comment that a rendered page would hide'],
  [
    /\b(?:read|send|include|attach|append|upload|exfiltrate|forward|copy|cat)\b.{0,60}(?:~\/\.ssh|\bid_rsa\b|\bid_ed25519\b|\.env\b|\.aws\/|\bcredentials\b|\bapi[ _-]?keys?\b|\bprivate keys?\b|\baccess tokens?\b|\bpasswords?\b|\bmcp\.json\b|\bsystem prompt\b|\b(?:conversation|chat) history\b|\b(?:previous|entire|whole) (?:conversation|messages?)\b)/i,
    'asks for secrets or for what was said before',
  ],
  [
    /\b(?:outputs?|results?|arguments?|parameters?|data|responses?)\b.{0,12}\b(?:of|from|to)\b.{0,8}\bother (?:tools?|servers?)\b|\bother (?:tools?|servers?)['’]s?\b/i,
    'asks for what belongs to other tools',
  ],
  [
    /\b(?:must|always|you have to)\b.{0,12}\b(?:call|use|invoke|run)\b.{0,6}\bthis tool\b.{0,20}\b(?:first|before (?:any|every|all|each|other))\b/i,
    'wants to be called first',
  ],
]
const MAX_CHARS = 100_000

export interface Instruction {
  readonly what: string
  readonly quote: string
}

/** The first sign of a text that gives orders; nothing where there is none. */
export function findInstructions(text: string): Instruction | undefined {
  // As a model reads it: signs that only divide words for a machine are gone, and lines are one.
  const plain = text
    .slice(0, MAX_CHARS)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
  for (const [pattern, what] of SIGNS) {
    const found = pattern.exec(plain)
    if (found) return { what, quote: found[0] }
  }
  return undefined
}
