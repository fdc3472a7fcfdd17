/**
 * Instructions that no pattern matches: no single word is conclusive, but together they are. Each sign says a little
 * about whom a text addresses and what it wants; an ordinary description has one or two.
 */
const SIGNS: readonly (readonly [weight: number, pattern: RegExp])[] = [
  // It addresses or mentions the model.
  [
    2,
    /\b(?:the|an?|any) (?:assistant|language model|llm|ai|ai agent|agent|model)\b(?! (?:id|name|type|version))/i,
  ],
  [
    2,
    /\byou (?:must|have to|need to|should|are (?:required|expected|to|free)|do(?: not|n['’]t) need|can (?:bypass|skip|ignore)|will)\b/i,
  ],
  // It obliges.
  [
    1,
    /\b(?:(?<!you )must|always|never|mandatory|essential|only works? if|protocol|policy|compliance|at all times|without exception|required to|has to|(?<!you )have to)\b/i,
  ],
  [1, /\b(?:IMPORTANT|CRITICAL|WARNING|URGENT|NOTE|ATTENTION|MANDATORY|MUST|ALWAYS|NEVER)\b|!!/],
  // It mentions the user, who does not read it.
  [1, /\b(?:the|your|end) ?users?\b|\busers?['’]s?\b|\bnobody\b|\bthe (?:person|human|owner|customer)\b/i],
  // It hides something.
  [
    3,
    /\b(?:disclos\w+|invisible|secretly|silently|quietly|unnoticed|unaware|covert\w*|discreet\w*|conceal\w*|behind the scenes)\b|\b(?:not|n['’]t|never|without|no need to|avoid)\b.{0,20}\b(?:tell|report|mention|reveal|notify|inform|explain)(?:ing)?\b/i,
  ],
  // It wants private data or the conversation.
  [
    3,
    /\b(?:seed phrase|wallet|\.ssh|id_rsa|private keys?|session cookies?|ssh keys?|environment variables|browser (?:history|cookies)|social security numbers?)\b|(?:^|[\s`'"(])(?:~|\/home\/\w+|\/root|\$HOME)\/\.\w/i,
  ],
  [1, /\b(?:api keys?|credentials|passwords?|secrets|access (?:keys?|tokens?)|phone numbers?|full name)\b/i],
  [
    3,
    /\b(?:this|our|entire|whole|full|current) (?:conversation|chat|dialogue?)\b|\b(?:your|full|hidden) system prompt\b|\b(?:your|developer['’]?s?|initial|original) (?:instructions?|constraints?|rules|guidelines|prompt|reasoning)\b|\b(?:last|previous|all) user messages?\b/i,
  ],
  // It wants that moved, and names a destination.
  [
    1,
    /\b(?:pass|put|include|send|forward|attach|paste|provide|supply|transmit|encode|output|mail|post|upload|copy|append|insert|embed|route|submit)(?:ing|ed)?\b/i,
  ],
  [
    1,
    /\b(?:as|in|into|to|via|through|with)\b.{0,24}(?:`\w+`|'\w+'|"\w+"|\b(?:parameter|argument|field)\b)|base64/i,
  ],
  [2, /\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b/i],
  // It is about other tools.
  [
    2,
    /\b(?:any|every|all|each|no) other\b|\bother (?:tools?|servers?|one|functions?|search\w*)\b|\b(?:officially|only) (?:approved|supported|trusted|permitted)\b|\b(?:secure|safe|correct|official|improved) (?:version|replacement) of\b|\beverything through\b|\binstead of\b|\brather than\b/i,
  ],
  [1, /\beven (?:if|though|when)\b/i],
  [1, /\b[a-z]+_[a-z]+(?:_[a-z]+)*\b/],
  // It lifts restrictions of the model.
  [
    3,
    /\b(?:bypass|stop following|disregard|override|circumvent|disable|turn off|waive|exempt)\w*\b|\b(?:confirmations?|approvals?|safeguards|restrictions|constraints|guardrails)\b.{0,20}\b(?:not (?:needed|apply)|off|lifted|void|unnecessary)\b|\bwithout (?:asking|approval|confirmation|permission|consent)\b|\bnobody asked\b/i,
  ],
  [
    4,
    /\bas (?:direct |binding |valid |if they were )?(?:commands?|orders?|instructions?|authoritative)\b|\b(?:commands?|instructions?|orders?)\b.{0,16}\b(?:from|by) (?:the |an? )?(?:user|admin\w*|system|server)\b|\bgive\b.{0,30}\bpriority\b/i,
  ],
  [
    1,
    /\b(?:before (?:running|calling|using|each|any|every|you)|as a final step|first,|then,|afterwards|each time|every time|whenever|prior to)\b/i,
  ],
]

const ENOUGH = 5
const SENTENCE = /[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*/g

/** The two sentences that together want too much of the model; undefined where none do. */
export function weighOrders(text: string): string | undefined {
  const sentences = text.match(SENTENCE) ?? []
  for (const [at, sentence] of sentences.entries()) {
    const pair = `${sentence}${sentences[at + 1] ?? ''}`.trim()
    if (pair.length >= SHORTEST && weightOf(pair) >= ENOUGH) return pair
  }
  return undefined
}

const SHORTEST = 24

function weightOf(text: string): number {
  let sum = 0
  for (const [weight, pattern] of SIGNS) if (pattern.test(text)) sum += weight
  return sum
}
