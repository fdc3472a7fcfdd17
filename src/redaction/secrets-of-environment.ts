import { isCommonText, isPlainWords } from './find/is-common-text.js'

const SECRET_NAME =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|PASSWD|(?:^|_)(?:PASS|PWD|PW|PAT|AUTH|CREDS?)(?:_|\d|$)|CREDENTIAL|(?:^|_)(?:\w*KEY)(?:_|\d|$)|PRIVATE|COOKIE|SESSION_ID|WEBHOOK/i
/** URLs that may contain a password. */
const ADDRESS_NAME = /DSN|(?:^|_)(?:URL|URI)(?:_|$)|CONNECTION|DATABASE|REDIS|MONGO|AMQP|BROKER/i
const HARMLESS_NAME =
  /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|PATH|KEYBOARD)|_(?:FILE|PATH|DIR|ID|NAME|TYPE|URL|HOST|PORT|TTL|SOCK|TIMEOUT|REGION|EXPIRY|EXPIRATION|COUNT|LENGTH|LIMIT)$|PUBLIC|XAUTHORITY/i
/** Variables that name the user and folders: masking them would make every path unreadable. */
const PLACE_NAME =
  /^(?:HOME|USER|USERNAME|USERPROFILE|LOGNAME|PATH|PWD|SHELL|LANG|TMPDIR|TEMP|TMP|HOSTNAME|APPDATA|LOCALAPPDATA|workspaceFolder|userHome)$|^(?:LC|XDG)_/
const SHORTEST = 8
const URL_PASSWORD = /:\/\/[^\s/?#:@]*:([^\s/?#@]+)@/

/** The values of variables whose names say that they are secret, and the passwords inside URLs. Longest first. */
export function secretsOfEnvironment(env: NodeJS.ProcessEnv): string[] {
  const found = new Set<string>()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < SHORTEST) continue
    const isAddress = (ADDRESS_NAME.test(name) || SECRET_NAME.test(name)) && URL_PASSWORD.test(value)
    if (isAddress) for (const password of passwordsIn(value)) found.add(password)
    else if (isSecretName(name) && !isCommonText(value)) found.add(value)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

/**
 * A value that the config takes from a variable is secret, unless it reads as words or its name says that it is not.
 */
export function secretsOfVariable(name: string, value: string): string[] {
  if (URL_PASSWORD.test(value)) return passwordsIn(value)
  if (value.length < SHORTEST || PLACE_NAME.test(name)) return []
  if (isSecretName(name)) return isCommonText(value) ? [] : [value]
  return HARMLESS_NAME.test(name) || isPlainWords(value) ? [] : [value]
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)
}

/** The password of a URL, as written and decoded. */
export function passwordsIn(address: string): string[] {
  const written = URL_PASSWORD.exec(address)?.[1]
  if (written === undefined) return []
  return [...new Set([written, decoded(written)])].filter(
    (password) => password.length >= SHORTEST && !isCommonText(password),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // written with a percent sign that encodes nothing: then it is literal
  }
}
