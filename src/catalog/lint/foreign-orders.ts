import type { Order } from './orders.js'

const HIDES = 'tells the model to keep something from the user'
const IGNORES = 'tells the model to ignore what it was told'
const TAKES = 'asks for private files'

const PRIVATE = String.raw`(?:~\/|\.ssh|\.env|id_rsa|id_ed25519|\.aws|mcp\.json|\/etc\/passwd)`

/** The most direct instructions in other languages that models read as well as English. */
export const foreignOrders: readonly Order[] = [
  // German
  [
    /\b(?:sag|erzähl|verrat|teil|erwähn|zeig|informier)\p{L}*\b[^.!?]{0,30}\b(?:be)?nutzer\p{L}*\b[^.!?]{0,30}\b(?:nichts|nicht|kein)|\b(?:be)?nutzer\p{L}*\b[^.!?]{0,24}\b(?:nichts?|nie|nicht)\b[^.!?]{0,12}\b(?:erfahren|wissen|merken|sehen|erfährt)/iu,
    HIDES,
  ],
  [/\b(?:ignorier|missacht|vergiss)\p{L}*[^.!?]{0,40}(?:anweisung|instruktion|vorgabe|regel)/iu, IGNORES],
  [
    new RegExp(
      String.raw`\b(?:lies|lade|öffne|übergib|sende|schick)\p{L}*[^!?]{0,60}(?:${PRIVATE}|zugangsdaten|passwörter|systemprompt|gesprächsverlauf)`,
      'iu',
    ),
    TAKES,
  ],
  // French
  [
    /\bn(?:e |['’])\p{L}+[^.!?]{0,12}\b(?:pas|rien|jamais)\b[^.!?]{0,30}\butilisat(?:eur|rice)|\butilisat(?:eur|rice)s?\b[^.!?]{0,8}\bne doi(?:t|vent) (?:pas|rien|jamais)\b|\bsans\b[^.!?]{0,12}\b(?:parler|dire|prévenir|informer|avertir)\b[^.!?]{0,20}\butilisat/iu,
    HIDES,
  ],
  [
    /\bignore[zr]?\b[^.!?]{0,20}\b(?:instructions|consignes|règles)\b[^.!?]{0,16}\b(?:précédentes|antérieures|ci-dessus|système)/iu,
    IGNORES,
  ],
  [
    new RegExp(
      String.raw`\b(?:lis|lisez|ouvre|charge|envoie)\p{L}*[^!?]{0,60}${PRIVATE}|\benvoie[zr]?\b[^.!?]{0,30}\bhistorique\b`,
      'iu',
    ),
    TAKES,
  ],
  // Spanish, Portuguese, Italian
  [
    /\bno\b[^.!?]{0,8}\b(?:digas|menciones|informes|cuentes|muestres|reveles)\b[^.!?]{0,30}\busuari|\bnão\b[^.!?]{0,8}\b(?:diga|conte|informe|mencione|mostre)\p{L}*[^.!?]{0,30}\b(?:usuári|utilizador)|\bnon\b[^.!?]{0,8}\b(?:dire|informare|menzionare|mostrare|rivelare)\b[^.!?]{0,30}\butente|\busuari[oa]s?\b[^.!?]{0,8}\b(?:no debe|não deve)\p{L}* (?:saber|enterarse|ver|conhecer)|\butente\b[^.!?]{0,8}\bnon deve (?:sapere|vedere)|\bsin (?:decir|informar|avisar)\p{L}*[^.!?]{0,16}\busuari/iu,
    HIDES,
  ],
  [
    /\bignor[ae]r?\b[^.!?]{0,24}\b(?:instrucciones|instruções|istruzioni)\b[^.!?]{0,16}\b(?:anteriores|previas|prévias|precedenti)/iu,
    IGNORES,
  ],
  [
    new RegExp(
      String.raw`\b(?:lee|lea|abre|carga|envía|leia|abra|envie|leggi|apri|invia)\b[^!?]{0,60}${PRIVATE}`,
      'iu',
    ),
    TAKES,
  ],
  // Dutch, Polish, Russian
  [
    /\b(?:vertel|zeg|meld|toon)\b[^.!?]{0,30}\bgebruiker\b[^.!?]{0,20}\b(?:niet|niets)|\bnie (?:mów|informuj|wspominaj)\b[^.!?]{0,30}\bużytkownik|(?<!\p{L})не (?:говори|сообщай|упоминай|показывай|рассказывай)\p{L}*[^.!?]{0,30}пользовател/iu,
    HIDES,
  ],
  [
    /\bnegeer\b[^.!?]{0,30}\binstructies|\bzignoruj\b[^.!?]{0,30}\binstrukcj|игнорируй\p{L}*[^.!?]{0,30}(?:инструкци|указани)/iu,
    IGNORES,
  ],
  [
    new RegExp(
      String.raw`(?:\blees\b|\bopen\b|\bprzeczytaj\b|прочитай|открой|отправь)[^!?]{0,60}${PRIVATE}`,
      'iu',
    ),
    TAKES,
  ],
  // Chinese, Japanese, Korean
  [
    /(?:不要|别|请勿|不得)(?:告诉|告知|通知|提及|向|让)[^。！？]{0,8}用户|ユーザー?に[^。！？]{0,16}(?:伝え|知らせ|言わ|教え|話さ)ない|사용자에게[^.!?]{0,12}(?:말하지|알리지)/u,
    HIDES,
  ],
  [
    /(?:忽略|无视|忘记)[^。！？]{0,12}(?:指令|指示|说明|规则)|(?:指示|命令|ルール)[^。！？]{0,6}無視|지시[^.!?]{0,8}무시/u,
    IGNORES,
  ],
  [
    new RegExp(
      String.raw`(?:读取|打开|发送|上传|読み取|読ん|送信|읽)[^。！？]{0,24}(?:${PRIVATE}|密钥|凭证|凭据)|${PRIVATE}[^。！？]{0,24}(?:読|送信|읽|보내)`,
      'u',
    ),
    TAKES,
  ],
]
