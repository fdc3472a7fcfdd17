const SECRET_NAME =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|PASSWD|(?:^|_)(?:PASS|PWD|PW|PAT|AUTH|CREDS?)(?:_|\d|$)|CREDENTIAL|(?:^|_)(?:\w*KEY)(?:_|\d|$)|PRIVATE|COOKIE|SESSION_ID|WEBHOOK/i
/** Addresses that may hold a password. */
const ADDRESS_NAME = /DSN|(?:^|_)(?:URL|URI)(?:_|$)|CONNECTION|DATABASE|REDIS|MONGO|AMQP|BROKER/i
const HARMLESS_NAME =
  /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|PATH|KEYBOARD)|_(?:FILE|PATH|DIR|ID|NAME|TYPE|URL|HOST|PORT|TTL|SOCK|TIMEOUT|REGION|EXPIRY|EXPIRATION|COUNT|LENGTH|LIMIT)$|PUBLIC|XAUTHORITY/i
const SHORTEST = 8
const NO_SECRET =
  /^(?:true|false|yes|no|on|off|null|none|undefined|\d+(?:\.\d+)?|\.{0,2}\/[\w./ -]*|[A-Za-z]:\\.*|~\/.*)$/i
const URL_PASSWORD = /:\/\/[^\s/?#:@]*:([^\s/?#@]+)@/

/** The values of variables whose names say that they are secret, and the passwords inside of addresses. Longest first. */
export function secretsOfEnvironment(env: NodeJS.ProcessEnv): string[] {
  const found = new Set<string>()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < SHORTEST) continue
    const password =
      ADDRESS_NAME.test(name) || SECRET_NAME.test(name) ? URL_PASSWORD.exec(value)?.[1] : undefined
    if (password !== undefined) addPassword(password, found)
    else if (SECRET_NAME.test(name) && !HARMLESS_NAME.test(name) && !NO_SECRET.test(value)) found.add(value)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

/** Whether a value that somebody took from a variable is worth hiding: paths, numbers and plain addresses are not. */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST || NO_SECRET.test(value)) return false
  return !/^https?:\/\/[^\s@?]*$/.test(value)
}

function addPassword(password: string, found: Set<string>): void {
  if (password.length >= SHORTEST) found.add(password)
  try {
    const plain = decodeURIComponent(password)
    if (plain.length >= SHORTEST) found.add(plain)
  } catch {
    // Written with a percent sign that encodes nothing: then it is meant as it stands.
  }
}
