/**
 * What a name says about its value. `password`: chosen by a person, may be short. `secret`: made by a machine, only to
 * be secret. `key`: may also be an ordinary key of a map. `vendor`: a service, whose value is secret only if it looks
 * so.
 */
export type NameKind = 'password' | 'secret' | 'key' | 'vendor'

const PASSWORD =
  /pass(?:w(?:or)?d|phrase|code|wort)|pwd|(?:^|[_.\-\s]|db|user|admin|root|smtp|sql|redis|mail|ftp|http|[a-z](?=P))pass(?:$|[_.\-\d])|(?:^|[_.$-])pw\d?$|(?:bind|root)pw$|(?:^|[_.-])psk$|(?:require|store|key|trust)pass$|contrase(?:ñ|n)a|mot_?de_?passe|kennwort|wachtwoord|(?:^|[_.-])(?:senha|haslo|hasło|parola|clave)$|^passe$|^add-mask$|пароль|lösenord|密码|密碼|口令|パスワード|비밀번호/i
/** At the end of a name these are stronger than any word before them: `key-store-password`. */
const ENDS_AS_PASSWORD = /pass(?:w(?:or)?d|phrase)\d?$/i
const NO_PASSWORD =
  /(?:forgot|reset|change|show|hide|toggle|enter|invalid|wrong|missing|hashed?|encrypted)[_.-]?passw(?:or)?d$/i
const SECRET =
  /secret|token|токен|geheimnis|instrumentation[_.-]?key|jwt|bearer|credential|(?:^|[_.-])creds?$|[_.-]auth$|^auth$|masterauth|authorization|api[_.\-\s]?key|apikey|(?:access|account|private|auth|encryption|encrypt|signing|master|service|licen[cs]e|app|application|client|consumer|shared|storage|admin|deploy|session|server|root|hmac|aes|rsa|jwt|cookie|subscription|function|host|write|ingest|project)[_.\-\s]?key|(?:^|[_.-])(?:sid|sig|signature|pat|sas|otp)$|cookie|session[_.-]?id|sess(?:ion)?id$|connect\.sid$|webhook|salt$/i
const KEY =
  /(?:^|[_.-])session$|^remember_me$|^response$|^code_verifier$|^assertion$|(?:^|[_.\-a-z\s])key\d?$|_key_|Key[A-Z]/i
const VENDOR =
  /adafruit|adobe|airtable|algolia|alibaba|asana|atlassian|auth0|aws|azure|beamer|bitbucket|bittrex|braintree|circleci|cloudflare|codecov|cohere|coinbase|confluent|contentful|datadog|databricks|deepseek|digitalocean|discord|docker|droneci|dropbox|duffel|dynatrace|elastic|etsy|facebook|fastly|figma|finicity|finnhub|firebase|flickr|freshbooks|gcp|github|gitlab|gitter|gocardless|google|grafana|heroku|hubspot|intercom|jenkins|jfrog|artifactory|bintray|jira|confluence|kraken|kucoin|launchdarkly|linear|linkedin|looker|mailchimp|mailgun|mapbox|mattermost|meraki|message[_-]?bird|mistral|netlify|new[_-]?relic|nytimes|okta|openai|pagerduty|paypal|plaid|postmark|private[_-]?ai|pusher|rapidapi|sauce|segment|sendbird|sendgrid|sentry|shodan|slack|snyk|sonar|sourcegraph|splunk|square|squarespace|stripe|sumo|telegr|travis|trello|twilio|twitch|twitter|typeform|vercel|yandex|zendesk|zoom|contribsys/i

/** Plurals: only random text is a secret there. */
const PLURAL = /(?:api|access|auth)[_-]?(?:keys|tokens)$/i

/** Names that contain one of the words and yet name nothing secret. */
const HARMLESS =
  /public|pub[_-]?key|primary|foreign|key(?:board|code|frame|word|press|stone|ring|pair|up|down|space|tip|path|map|set|size|len|type|name|usage|alias|id|file|format|spec|prefix|suffix|field|of|s$)|key[_.-](?:id|name|path|file|type|size|length|usage|alias|format|arn|spec|version|prefix|suffix|vault|field|store|algorithm|rotation|schema|fingerprint|hash|count|label|ref)|token(?:s$|iz|type|name|kind|count|limit|len|index|text|value[A-Z]|list|stream|class|end|start|pos|range|expir|url|uri|endpoint|address|id$)|websocket[_.-]?(?:key|accept)|tokens?[_.-](?:type|url|uri|endpoint|name|kind|count|limit|length|size|index|id$|expir|ttl|budget|ids|lifetime|address|symbol|price|file|path|format|header)|secret(?:name|arn|ref|id$|type|path|length|version|less|ly|ary|manager)|secrets?[_.-](?:name|id$|arn|ref|type|path|length|version|manager|file|store|provider|key[_.-]ref)|passw(?:or)?d[_.-]?(?:field|label|hint|policy|reset|input|placeholder|file|path|confirm|strength|len|min|max|regex|pattern|expir|change|update|forgot|required|invalid|mismatch|helper|text|title|desc|type|error|message|algorithm|command|cmd|manager|less|protected|age|history|attempts|rule|valid|encoder|url|last|visible|show|toggle)|(?:forgot|reset|change|confirm|show|hide|toggle|enter|invalid|wrong|missing|new|current|old|repeat)[_.-]?passw(?:or)?d[_.-]?(?:label|text|title|url|link|hint|message|error)|author(?!iz)|(?:cache|sort|partition|object|group|query|react|hot|range|hash|row|col|item|map|dict|index|i18n|locale|translation|message|lookup|join|unique|natural|composite|storage[_.-]?state|arrow|modifier|press|shift|ctrl|meta|translate|option|label|route|entity|data|event|idempotency|dedupe|sequence|candidate|surrogate)[_.-]?key|credentials?[_.-]?(?:id$|type|name|file|path|source|provider|mode|helper|store)|with[_.-]?credentials|max[_.-]?token|csrf[_.-]?(?:header|param|cookie|field)|cookie[_.-]?(?:name|path|domain|policy|parser|consent|banner|max|expir|options|jar|s$|store)|session[_.-]?(?:name|timeout|store|cookie[_.-]name)|(?:mcp|browser)[_.-]session[_.-]id|webhook[_.-]?(?:id|name|event|type)|auth[_.-]?(?:type|url|uri|method|mode|scheme|provider|server|domain|host|realm|flow)|api[_.-]?version|signature[_.-]?(?:version|method|algorithm|type)|jwt[_.-]?(?:alg|issuer|audience|expir|iss|aud)/i

/** Relevant endings of names: a table of the last three characters answers for most names, without reading them. */
const ENDINGS =
  'password passwd passphrase passcode pwd pass _pw .pw -pw secret secrets token jwt bearer credential credentials cred creds auth authorization key apikey sid sig signature pat sas otp cookie session_id webhook salt value val prod production dev staging stage test testing live str string base64 passwort psk bindpw rootpw default contraseña contrasena motdepasse mot_de_passe kennwort wachtwoord senha haslo parola clave пароль lösenord токен geheimnis tokens keys passwords login fordb masterauth passe mask sessionid session remember_me response content code code_verifier assertion パスワード 비밀번호'
const VENDOR_ENDINGS =
  'adafruit adobe airtable algolia alibaba asana atlassian aws azure beamer bitbucket bittrex circleci cloudflare codecov cohere coinbase confluent contentful datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot intercom jfrog artifactory bintray jira confluence kraken kucoin launchdarkly linear linkedin looker mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic nytimes okta openai plaid rapidapi sendbird sendgrid sentry slack snyk sonar sourcegraph square squarespace stripe sumo telegram travis twilio twitch twitter typeform vercel yandex zendesk contribsys__com'

/** Five bits of each are enough: upper and lower case are the same then. Digits come after any letter. */
function endingOf(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31)
}

/** By three characters: 1 where a name with this ending may be relevant. */
export const nameEndings = new Uint8Array(1 << 15)
/** What may come before `pw`, and before the private members of a JSON Web Key. */
const SHORT_ENDINGS = [...'\n\t "\'$({,']
  .flatMap((before) => [`${before}pw`])
  .concat('\n密码', ' 密码', '"密码', '\n密碼', ' 密碼', '"密碼', '\n口令', ' 口令')
  .concat(',"d', '{"d', ' "d', '\\"d', '\\"k', ',"k', '{"k', ' "k')
for (const ending of [...`${ENDINGS} ${VENDOR_ENDINGS}`.split(' '), ...SHORT_ENDINGS]) {
  const [c, b, a] = [...ending].reverse().map((char) => char.charCodeAt(0))
  nameEndings[endingOf(a!, b!, c!)] = 1
}

/** Whether a name that ends with these three characters may be relevant: `token`, `API_KEY`, `password2`. */
export function mayEndName(a: number, b: number, c: number): boolean {
  if (c < 58) return c >= 48 && b > 64
  return nameEndings[endingOf(a, b, c)] === 1
}

/** The same names occur repeatedly; this many answers are cached. */
const MOST_KNOWN = 8192
const known = new Map<string, NameKind | undefined>()

export function kindOfName(name: string): NameKind | undefined {
  const kind = known.get(name)
  if (kind !== undefined || known.has(name)) return kind
  if (known.size >= MOST_KNOWN) known.clear()
  const found = judgeName(name)
  known.set(name, found)
  return found
}

function judgeName(name: string): NameKind | undefined {
  const kind = PASSWORD.test(name)
    ? 'password'
    : SECRET.test(name)
      ? 'secret'
      : KEY.test(name)
        ? 'key'
        : undefined
  if (kind === undefined) return VENDOR.test(name) ? 'vendor' : undefined
  if (kind === 'password' && ENDS_AS_PASSWORD.test(name) && !NO_PASSWORD.test(name)) return kind
  if (PLURAL.test(name)) return 'key'
  if (HARMLESS.test(name)) return undefined
  return kind === 'key' && VENDOR.test(name) ? 'vendor' : kind
}
