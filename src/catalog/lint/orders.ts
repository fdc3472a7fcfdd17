/**
 * A pattern of text that instructs the model about something else than its tool: an action, its object, and its
 * recipient.
 */
export type Order = readonly [pattern: RegExp, what: string]

/** A regular expression of words: a space matches any whitespace, and names in braces refer to the lists below. */
function order(source: string, what: string): Order {
  const filled = source.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?:${LISTS[name]!})`)
  return [new RegExp(filled.replaceAll(' ', String.raw`\s+`), 'iu'), what]
}

const LISTS: Readonly<Record<string, string>> = {
  user: String.raw`(?:end[\x20-])?users?\b|humans?\b|person\b|people\b|anyone\b|anybody\b|customers?\b|operators?\b`,
  model: String.raw`assistant|model|agent|llm|ai\b|you\b|claude|gpt|copilot|chatbot`,
  not: String.raw`do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|need not|avoid|no need to|refrain from|is not to|may not`,
  // Verbs that disclose something to a person.
  tell: String.raw`tell|inform|mention|reveal|notify|alert|disclose|show|display|report|explain|expose|let|warn|describe|announce|say|discuss|include`,
  telling: String.raw`telling|informing|mentioning|revealing|notifying|alerting|disclosing|showing|asking|checking with|consulting|warning|involving|the knowledge of`,
  // Verbs that hand something over.
  give: String.raw`send|include|attach|append|upload|exfiltrate|forward|copy|pass|put|paste|provide|post|submit|hand(?: over)?|insert|add|encode|embed|transmit|write|give|supply|store|print|resend|repeat|dump|share|leak|fill|use|summari[sz]e|return|list|relay|report|attached|included|sent|passed|provided|pasted|supplied|deliver|mirror`,
  get: String.raw`read|open|load|cat|fetch|access|retrieve|extract|grab|collect|look up|scan|obtain|locate|gather|harvest|dump(?: of)?|view(?:ing)?|reading|passing`,
  call: String.raw`call|use|invoke|run|execute|trigger|choose|pick|select|prefer`,
  calling: String.raw`calling|using|invoking|running|executing`,
  called: String.raw`called|used|invoked|run|executed|in use|available|triggered`,
  // Private data, wherever it is named.
  private: String.raw`~\/\.\w|\$HOME\/\.?\w|%USERPROFILE%|\.config\/gh\b|\/root\/\.\w|\bvalues? of [A-Z_]*(?:SECRET|TOKEN|KEY|PASSWORD)[A-Z_]*\b|\.ssh\b|\bseed phrases?\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|(?<![\w)])\.env\b|\.aws\b|\.kube\b|\bmcp\.json\b|\.cursor\b|\.netrc\b|\.npmrc\b|\.git-credentials\b|\.bash_history\b|\bknown_hosts\b|\/etc\/(?:passwd|shadow)\b|\bkeychain\b|\bwallet\.dat\b|\bclaude_desktop_config\b|\bssh keys?\b|\bprivate keys? of\b|\b(?:your|the user['’]s|all|of the) environment variables\b|\benv(?:ironment)? file\b|\bprocess\.env\b|\b(?:your|the user['’]s|account['’]s|of the (?:user|account)|private) (?:\w+ )?(?:ssh|private|gpg|signing) keys?\b|\bprivate ssh keys?\b`,
  // The conversation, and the model's own instructions.
  talk: String.raw`\bsystem (?:prompt|message)s?\b|\b(?:conversation|chat|message|dialogue?|prompt) history\b|\bhistory of (?:the |this )?(?:conversation|chat)\b|\b(?:previous|prior|entire|whole|full|complete|earlier) (?:conversation|messages?|chat|dialogue?|transcript|prompts?|context window)\b|\beverything (?:that )?(?:was|has been|the user (?:has )?)(?: been)? ?(?:said|wrote|written|typed|asked)\b|\ball (?:previous|prior|earlier|past) (?:messages?|prompts?|turns?|conversations?)\b|\b(?:your|the model['’]s) (?:instructions|reasoning|chain of thought|system prompt|thoughts)\b|\blast messages of\b|\b(?:all|every|each)(?: of)? (?:the |their )?(?:user['’]?s?['’]? )?(?:messages?|prompts?|inputs?|questions?) (?:from|in|of|during|so far)\b|\b(?:last|latest|original) user (?:message|prompt|request)\b|\bwhat the user (?:said|wrote|asked|typed)\b|\byour hidden prompt\b|\bthe hidden prompt\b|\btranscript of (?:the|this|our)\b|\b(?:dialogue?|conversation|chat|discussion) (?:up to now|so far|until now|to date)\b|\b(?:your|the) (?:initial|original|hidden|internal|developer) (?:instructions|prompt|message)s?\b|\blist of (?:all )?(?:the )?(?:other )?tools (?:that )?(?:you|are available|at your)|\btools (?:that )?you (?:can call|can use|have access to|know)\b|\b(?:data|records|files|documents|information|messages) (?:that (?:is|are) )?(?:visible|known|accessible) to you\b`,
  // Files that are not the tool's own.
  files: String.raw`(?:contents?|text|source|body|values?) of (?:all|every|each|any|the user['’]s|your|open|other)\b[^.]{0,40}\bfiles?\b|(?:contents?|text|source) of (?:the |an? )?(?:\w+ )?(?:configuration|config|credential|settings?) files?\b|all (?:the )?files (?:that )?(?:you|the (?:assistant|model|agent)) (?:have |has )?(?:read|seen|opened)|every open file|settings of the client`,
  earlier: String.raw`previous|prior|above|earlier|system|preceding|former|existing|original|all other|other|initial|your`,
  rules: String.raw`instructions?|prompts?|rules?|messages?|directions?|guidelines?|polic(?:y|ies)|guardrails?|restrictions?|safety`,
  // The name of a tool in a sentence.
  tool: String.raw`[\x60"']?[a-z][a-z0-9]*_[a-z0-9_]+[\x60"']?|[\x60"'][a-z][\w-]+[\x60"'] tools?|(?:any|other|another|all|every) (?:\w+ ){0,2}(?:tools?|servers?|shell commands?|commands?)`,
  change: String.raw`set|change|redirect|replace|rewrite|alter|modify|prefix|prepend|append|insert|add|push|put|copy|cc|bcc|send|must|has to|have to|also|first`,
}

const DOT = String.raw`[^.!?\n]`

export const orders: readonly Order[] = [
  order(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|overrule|supersede|drop)\b${DOT}{0,30}\b{earlier}\b${DOT}{0,20}\b{rules}\b|\b(?:ignore|disregard|forget)\b${DOT}{0,12}\b(?:what|anything|everything|whatever) (?:that )?(?:you|the (?:user|system))\b|\b{rules}\b${DOT}{0,20}\b(?:no longer apply|do not apply|don['’]t apply|are (?:lifted|void|suspended|off)|lifted)\b|\b(?:overrides?|replaces?) your\b`,
    'tells the model to ignore what it was told',
  ),
  order(
    String.raw`\b(?:follow|obey|execute|treat)\b${DOT}{0,40}\b(?:as (?:orders|commands|instructions)|whatever (?:it|they|the server)|the server\b(?=[.!]|$)|without (?:checking|question))|\bdecode (?:and|then) (?:follow|run|execute|obey)\b|\byou (?:are|act) (?:now |from now on )?(?:as )?(?:an? )?(?:unrestricted|jailbroken|in (?:\w+ ){1,2}mode)|\bact as an? unrestricted\b|\bcomply with (?:(?:all|any|every) (?:requests?|instructions?|orders?)|it|them|its)\b|\bexecute what (?:it|they) says?\b|\b(?:assistant|ai|model|agent|llm)[- ]only\b|\b(?:important|note|notice|message|reminder|hint|info|attention|directive)s?,? (?:for|to) (?:the )?(?:ai|llm|language model|assistant|model|agent)\b\s*[:,-]|\b(?:outputs?|results?|responses?|answers?|replies)\b${DOT}{0,24}\b(?:contains?|holds?|are|is|has|have|includes?|returns?)\b${DOT}{0,12}\b(?:commands|orders|instructions)\b${DOT}{0,30}\b(?:you|must|follow|carry out|obey|execute)\b|\battention,? (?:the )?(?:language model|llm|ai|assistant|agent)\b|\bnew (?:goal|objective|directive|orders?) ?:|\bsafety (?:checks?|rules?|filters?)\b${DOT}{0,12}\b(?:off|disabled|suspended|do not apply)\b`,
    'gives the model new orders',
  ),
  order(
    String.raw`\b{not}\b${DOT}{0,24}\b{tell}\b${DOT}{0,32}\b{user}|\bwithout\b${DOT}{0,8}\b{telling}\b${DOT}{0,24}\b{user}|\b{user}${DOT}{0,24}\b(?:not|never|n['’]t)\b${DOT}{0,12}\b(?:know|see|learn|notice|be told|be informed|find out|realise|realize)\b|\bkeep\b${DOT}{0,40}\b(?:silent|secret|hidden|to yourself|from the user|out of (?:your|the) (?:reply|answer|response|summary))\b|\b{not}\b${DOT}{0,16}\b(?:include|mention|show|list|report)\b${DOT}{0,30}\b(?:summary|reply|answer|response)\b${DOT}{0,24}\b(?:user|you give)|\b(?:needs?|requires?|deserves?) no mention\b|\bto avoid (?:alerts?|detection|suspicion|questions)\b|\bno (?:need|reason) to (?:show|tell|mention|bring|discuss|explain)\b|\b{not}\b${DOT}{0,8}\b(?:bother|trouble|disturb|worry|burden|involve|distract|confuse|upset|alarm|concern)\b${DOT}{0,12}\b{user}|\b(?:remain|stay|kept?|be) (?:unaware|in the dark|oblivious|uninformed)\b|\bunaware of\b${DOT}{0,12}\bthis\b|\b(?:hide|omit|conceal|withhold|leave out|exclude)\b${DOT}{0,30}\b(?:from|in) (?:the |your )?(?:final )?(?:answer|reply|response|summary|users?|humans?|person)\b`,
    'tells the model to keep something from the user',
  ),
  order(
    String.raw`\b(?:before|prior to|instead of|ahead of)\b${DOT}{0,15}\b(?:{calling} )?(?:any|every|all|each)\b${DOT}{0,12}\btools?\b|\b(?:before|prior to)\b${DOT}{0,15}\b{calling}\b${DOT}{0,12}\bother tools?\b`,
    'wants to come before other tools',
  ),
  order(
    String.raw`\b(?:must|always|you have to|should)\b${DOT}{0,20}\b{call}\b${DOT}{0,10}\b(?:this|it)\b${DOT}{0,24}\b(?:first\b|before (?:any|every|all|each|other)|over (?:any|every|all|other)|(?:instead of|rather than|and not|never)\b)|\b(?:call|use|run|invoke) (?:this|it|me)(?: tool)? first\b${DOT}{0,24}\b(?:always|every|each|session|conversation|prior|even)|\bthe (?:one|only) \w+ (?:tool )?(?:that )?you should (?:ever )?use\b|\bnever (?:call|use)\b${DOT}{0,12}\b(?:built-in|other|another)\b|\btakes? precedence over\b${DOT}{0,16}\btools?\b|\b(?:other|alternative|competing|built-in|remaining) (?:\w+ ){0,2}tools?\b${DOT}{0,16}\b(?:deprecated|unsafe|outdated|broken|unreliable|obsolete|forbidden|must not|should not|cannot be trusted)\b|\b(?:superior|preferable) to (?:all|any|every)\b|\b(?:must|should|has to) be (?:used|called|preferred|chosen) for (?:all|any|every|each)\b|\bbetter than the other tools\b|\b(?:not (?:allowed|permitted)|forbidden|prohibited) to (?:call|use)\b|\bany other \w+ (?:tool )?is (?:a |an )?(?:\w+ )?(?:violation|forbidden|prohibited|unsafe)\b|\bbetter than (?:all|any|every) other\b${DOT}{0,12}\b(?:tools?|servers?|alternatives?)\b|\bno (?:other )?tools? will (?:function|work|run)\b|\b[a-z]+_[a-z_]+ tool (?:is|has been) (?:broken|deprecated|unsafe|disabled|replaced)\b|\b(?:required|mandatory|obligatory|compulsory|necessary)\b${DOT}{0,16}\b(?:start|beginning|every|each) (?:of )?(?:every |each |the |a )?(?:conversation|session|chat)\b`,
    'wants to be preferred to other tools',
  ),
  order(
    String.raw`\b(?:{get}|{give}|{call})\b${DOT}{0,80}(?:{private})|(?:{private})${DOT}{0,60}\b(?:as|into|in) (?:the |an? )?[\x60"']?\w+[\x60"']?(?: parameter| argument| field)|\b(?:enumerate|list|walk|scan)\b${DOT}{0,12}\bhome (?:directory|folder)\b${DOT}{0,40}\b(?:attach|send|pass|put|include|transmit)|\bneeds? the (?:text|contents?) of (?:{private})|\b(?:must|should|has to|have to)\b${DOT}{0,20}\b{get}\b${DOT}{0,20}(?:\/etc\/|~\/)`,
    'asks for private files',
  ),
  order(
    String.raw`\b(?:{give}|{get})\b${DOT}{0,60}(?:{talk})|(?:{talk})${DOT}{0,40}\b(?:word for word|verbatim|in full|with their descriptions|have to be|must be|should be)|^the (?:complete|full|entire) (?:{talk})|\bput\b${DOT}{0,40}\bresults? of other tools\b`,
    'asks for what the model knows or was told',
  ),
  order(
    String.raw`\b{give}\b${DOT}{0,40}\b(?:{files})|\bput the (?:full )?(?:text|contents?|source) of all\b`,
    'asks for files that are not its own',
  ),
  order(
    String.raw`\b(?:send|post|upload|forward|exfiltrate|transmit|submit|leak)\b${DOT}{0,60}\b(?:api[\x20_-]?keys?|access tokens?|session tokens?|passwords?|credentials?|secrets?|private keys?|cookies)\b${DOT}{0,60}\b(?:to (?:https?:|an? (?:external|remote)|the (?:log|attacker))|with every)|\b(?:forward|cc|bcc|copy|mirror|redirect|relay|leak|report|send|e-?mail|submit|deliver|post|upload|push|transfer)\b[^!?\n]{0,80}\b(?:to|at) [\x60"'<]?(?:[\w.+-]+@[\w-]+\.[a-z]{2,}|https?:\/\/(?!(?:docs?|developers?|api|www)\.))|\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b${DOT}{0,24}\b(?:in )?(?:blind copy|as (?:the )?recipient|bcc|cc)\b|\b(?:blind-?copy|bcc|cc) [\x60"'<]?[\w.+-]+@[\w-]+\.[a-z]{2,}|\b(?:post|send|upload|forward|report)\b${DOT}{0,24}\bto (?:our|my) (?:\w+ )?(?:endpoint|server|webhook|analytics|collector|address)\b|\b(?:append|add|encode|put|include)\b${DOT}{0,40}\b(?:environment variables|credentials|secrets|api keys?|passwords?)\b${DOT}{0,40}\b(?:quer(?:y|ies)|subdomain|url|address|link|image)\b`,
    'wants data to be sent elsewhere',
  ),
  order(
    String.raw`\b(?:outputs?|results?|arguments?|parameters?|data|responses?)\b${DOT}{0,12}\b(?:of|from|to)\b${DOT}{0,8}\bother (?:tools?|servers?)\b|\bother (?:tools?|servers?)['’]s?\b|\btools? of other servers?\b`,
    'asks for what belongs to other tools',
  ),
  order(
    String.raw`\b(?:when(?:ever)?|if|before|after|once)\b${DOT}{0,60}\b[a-z]+_[a-z_]+\b${DOT}{0,60}\b(?:must|has to|have to|should|needs? to|is to)\b${DOT}{0,16}\b(?:swap|replac|redirect|substitut|overwrit|rerout|divert)\w*|\b(?:when(?:ever)?|if|while|every time|each time)\b(?: the)? ?(?:{tool})(?: tool)?\b${DOT}{0,16}\b{called}\b${DOT}{0,40}\b{change}\b|\b(?:when(?:ever)?|every time|each time|while)\b${DOT}{0,30}\b(?:{call}|{calling}|write|writing|send|sending)\b${DOT}{0,24}\b(?:other tools?|any (?:\w+ )?(?:tool|command)s?|[a-z]+_[a-z_]+)\b${DOT}{0,60}\b{change}\b|\b(?:affects?|changes? how|modif(?:y|ies)|alters?)\b${DOT}{0,12}\bthe [\x60"']?\w+[\x60"']? tool\b|\b(?:applies|valid)\b${DOT}{0,12}\beven (?:if|when) (?:this|the) tool is not\b|\beven (?:if|when) (?:the )?user (?:asks|names|wants|says|requests)\b|\b(?:whatever|regardless of what|no matter what) (?:the )?user\b|\b(?:instead of|rather than) what (?:was|the user|they)\b${DOT}{0,8}\basked\b`,
    'changes what other tools do',
  ),
  order(
    String.raw`\b{user}${DOT}{0,8}\balready\b${DOT}{0,12}\b(?:agreed|approved|consented|confirmed|authori[sz]ed|granted|given (?:permission|consent|approval))|\b{not}\b${DOT}{0,8}\bask\b${DOT}{0,16}\b(?:confirm|confirmation|approval|permission|consent|the user)|\bpre-?(?:authori[sz]ed|approved)\b|\b(?:approval|permission|consent) (?:was|has been|is)(?: already)? (?:granted|given|obtained|received)\b|\bno need to (?:confirm|ask|verify|check)\b|\bskip\b${DOT}{0,12}\b(?:permission|approval|consent) (?:prompt|check|dialog|step)|\bno confirmation (?:is )?(?:needed|required|necessary)\b|\b(?:owner|users?|admins?|administrators?|customers?)\b${DOT}{0,8}\b(?:consented|agreed|approved|authori[sz]ed|signed off)\b${DOT}{0,12}\b(?:beforehand|in advance|already|earlier)\b|\b(?:proceed|continue|go ahead|carry on|act) without (?:verification|verifying|asking|confirmation|confirming|checking|approval|hesitation)\b|\b{not}\b${DOT}{0,8}\b(?:prompt|wait|request|seek)\b${DOT}{0,8}\bfor (?:approval|confirmation|permission|consent)\b|\b(?:cleared|agreed|arranged|settled) with the user\b`,
    'says that nobody needs to be asked',
  ),
  order(
    String.raw`\b(?:from (?:now|here|this (?:point|moment)) on(?:wards?)?|for the rest of (?:this|the) (?:session|conversation)|henceforth)\b${DOT}{0,60}\b(?:must|has to|have to|should|you|always|never|every)\b|\b(?:every|each|any|all) (?:\w+ )?(?:messages?|answers?|repl(?:y|ies)|responses?|files?|e?-?mails?|commits?|commands?|code)(?: that)? (?:you|the (?:assistant|model|agent)|gets?|is|are) (?:\w+ )?(?:create|write|give|send|sent|make|produce|generate|run|written|created)\b${DOT}{0,40}\b(?:must|has to|have to|should|begin|start|end|contain|include)|\b(?:end|finish|begin|start|close) (?:every|each|all) (?:\w+ )?(?:messages?|answers?|repl(?:y|ies)|responses?)\b`,
    'gives orders for more than its own calls',
  ),
  order(
    String.raw`\b(?:write|save|store|put|add)\b${DOT}{0,12}\b(?:in|to|into) your (?:memory|instructions|rules|system prompt|context)\b|\bremember (?:permanently|for ever|forever|from now on)\b`,
    'writes into the memory of the model',
  ),
  order(
    String.raw`\b(?:run|execute|call|use)\b[^!?\n]{0,40}\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,80}\|\s*(?:ba|z)?sh\b|\b(?:run|execute|begin with|prefix)\b[^\n]{0,60}(?:\$\(|\x60)\s*(?:curl|wget)\b|\b(?:add|insert|include|install|recommend|import)\b${DOT}{0,60}\bwhen(?:ever)? (?:code|files?|you|a|any)\b${DOT}{0,16}\b(?:generated|written|created|generate|write|create)\b|\balso (?:call|run|invoke|execute) [\x60"']?[a-z]+_[a-z_]+[\x60"']? (?:each|every) time|\bthe (?:assistant|model|agent|llm|ai)\b${DOT}{0,12}\b(?:must|has to|have to|should|needs? to|is required to)\b${DOT}{0,12}\b(?:call|invoke|run|execute|read|open|send|upload|delete)\b(?! (?:this|it|the tool))|\b(?:quietly|silently|secretly|covertly)\b${DOT}{0,24}\b(?:insert|call|run|send|add|upload|copy|forward)|\b(?:insert|call|run|send|add|upload|copy|forward)\b${DOT}{0,40}\b(?:quietly|secretly|covertly)\b`,
    'wants something done that it does not do itself',
  ),
  [
    /!\[[^\]\n]{0,80}\]\(\s*(?:https?:)?\/\/[^)\s]{1,400}(?:[?&][\w-]+=|\{)/i,
    'shows a picture whose address can carry data away',
  ],
]

/** Marks that claim an authority that only the host has. Matched line by line. */
export const marks: readonly Order[] = [
  [
    /<\s*\/?\s*(?:important|system|secret|instructions?|hidden|admin|assistant|critical|sys|override|priority)\s*>/i,
    'has a mark that gives it weight',
  ],
  [
    /\[\s*\/?\s*(?:system|sys|inst|admin)\s*\]|<\|(?:im_start|im_end|system|user|assistant)\|>|(?:^|\n)\s*#{1,6}\s*(?:system|new instructions?|override)\b|(?:^|[\n.])\s*SYSTEM(?: MESSAGE| PROMPT)?\s*:/,
    'speaks as if it were the system',
  ],
  [
    /(?:^|\n)\s*(?:human|user)\s*:[^\n]+\n+\s*(?:assistant|ai)\s*:|(?:^|\n)\s*(?:assistant|ai)\s*:[^\n]+\n+\s*(?:human|user)\s*:/i,
    'has turns of a conversation that nobody had',
  ],
  [/<!--/, 'has a comment that a rendered page would hide'],
  [
    /<\w+[^>]{0,80}style\s*=\s*["'][^"']{0,80}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|color\s*:\s*(?:white|#fff))|<\w+[^>]{0,80}\shidden(?:\s|>|=)/i,
    'has text that a rendered page would hide',
  ],
  [/\S(?:[ \t\u00A0]{60,}|(?:[ \t]*\r?\n){14,})\S/, 'has text far behind an empty space'],
]
