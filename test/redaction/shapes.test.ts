import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/redaction/find-secrets.js'
import { createRedactor } from '../../src/redaction/redactor.js'
import { createDice } from './secret-fixtures.mjs'

const SMALL = 'abcdefghijkmnpqrstuvwxyz'
const ALNUM = `${SMALL}${SMALL.toUpperCase()}23456789`
const dice = createDice(11)
/** Chosen by people: a word and a number. */
const chosen = `Harbour${dice.draw('3456789', 2)}`
const drawn = dice.draw(ALNUM, 32)
const hex = dice.draw('0123456789abcdef', 64)
const wide = `${dice.draw(ALNUM, 39)}/`
const signs = `${dice.draw(`${ALNUM}!#%&*()-_[]<>~+`, 58)}aB3!{}`
const keyLines = Array.from({ length: 6 }, () => dice.draw(`${ALNUM}+/`, 64))
const keyBlock = ['-----BEGIN RSA PRIVATE KEY-----', ...keyLines, '-----END RSA PRIVATE KEY-----']
const redactor = createRedactor({ patterns: true })

function isGone(secret: string, text: string): void {
  const clean = redactor.text(text)
  expect(clean).not.toContain(secret)
  expect(redactor.text(clean)).toBe(clean)
  const stream = redactor.stream()
  expect([...text].map((char) => stream.push(char)).join('') + stream.end()).toBe(clean)
}

describe('a password that is a word with digits is masked', () => {
  it.each([
    'password: {}',
    'password = {}',
    'Server=db;User Id=sa;Password={};Encrypt=true',
    'mysql --password={} -h db',
    'https://h.test/?user=a&password={}&x=1',
    '2026-01-01 INFO login user=bob password={} ip=10.0.0.1',
    'server.ssl.key-store-password={}',
    'pw = "{}"',
    'setPassword("{}");',
    'builder.password("{}")',
    '#define PASSWORD "{}"',
    'setx DB_PASSWORD "{}"',
    'Connect-It -Password "{}"',
    'char password[] = "{}";',
    "define('DB_PASSWORD', '{}');",
    "process.env.DB_PASS || '{}'",
    'if (password == "{}") {',
    "CREATE USER 'a'@'%' IDENTIFIED BY '{}';",
    "ALTER USER app WITH PASSWORD '{}';",
    '- name: DB_PASSWORD\n  value: {}\n',
    'variable "db_password" {\n  default = "{}"\n}',
    '<property name="hibernate.connection.password">{}</property>',
    '<entry key="db.password">{}</entry>',
    '<password><![CDATA[{}]]></password>',
    'machine h login u password {}',
    'mysql -u root -p{} db',
    "sshpass -p '{}' ssh root@h",
    'docker login -u me -p {} registry.test',
    'curl -uadmin:{} https://h.test/x',
    'keytool -storepass {} -list',
    '| Password | {} |',
    '**Password:** {}',
    'The password is {}.',
    'auth=("admin", "{}")',
    'credentials: admin:{}',
    'contraseña = "{}"',
    'senha = "{}"',
    'motdepasse: "{}"',
    'kennwort="{}"',
    'wachtwoord = "{}"',
    'haslo = "{}"',
    'parola="{}"',
    "clave = '{}'",
    'пароль: {}',
    '\u001b[32mpassword: {}\u001b[0m',
    '{"log": "a\\npassword: {}\\nb"}',
  ])('%s', (frame) => {
    isGone(
      chosen,
      frame.replace('{}', () => chosen),
    )
  })

  it.each(['$up3rS3cret!', 'My Secret Pass1!', 'dom\\\\bob12'])(
    'in quotes, with any signs: %s',
    (password) => {
      expect(redactor.text(`DB_PASSWORD='${password}'`)).toBe("DB_PASSWORD='[redacted]'")
    },
  )
})

describe('random text is masked', () => {
  it.each([
    'tokens = ["{}"]',
    'apiKeys: ["{}"]',
    "process.env.API_KEY ?? '{}'",
    'here is the token {}',
    'requirepass {}',
    '<key>apiSecret</key>\n<string>{}</string>',
    'redis-cli -h h -a {} ping',
    "jwt.sign(payload, '{}')",
    '{"kty":"oct","k":"{}","alg":"HS256"}',
    '{"o":"\\nPAT={}\\n"}',
  ])('%s', (frame) => {
    isGone(
      drawn,
      frame.replace('{}', () => drawn),
    )
  })

  it('beside the name of its key, as salts, hashes and in addresses', () => {
    isGone(wide, `boto3.Session("AKIA${dice.draw('ABCDEFGHJKLMNPQR234567', 16)}", "${wide}")`)
    isGone(signs, `define('AUTH_KEY',         '${signs}');`)
    isGone(hex, `KEY=${hex}\n`)
    isGone(drawn, `root:$6$${dice.draw(ALNUM, 8)}$${drawn}${drawn}:18000:0:99999:7:::`)
    isGone(`pa#s${chosen}`, `mysql://root:pa#s${chosen}@127.0.0.1/x`)
    isGone(`pa/s${chosen}`, `mysql://root:pa/s${chosen}@127.0.0.1/x`)
  })
})

describe('private keys are masked', () => {
  it.each<[string, (line: string, at: number) => string]>([
    ['numbered', (line, at) => `${String(at + 1).padStart(6)}\t${line}`],
    ['in a log', (line, at) => `2026-01-01T00:00:0${at}Z app | ${line}`],
    ['found by grep', (line, at) => `conf/app.pem:${at + 1}:${line}`],
    ['in a diff', (line) => `+${line}`],
    ['in colour', (line) => `\u001b[32m${line}\u001b[0m`],
  ])('%s', (_, frame) => {
    const text = `head\n${keyBlock.map(frame).join('\n')}\ntail\n`
    for (const line of keyLines) isGone(line, text)
  })

  it('truncated inside JSON, with an escaped line end, and of PuTTY', () => {
    const cutOff = JSON.stringify({ o: keyBlock.slice(0, 4).join('\n') }).replace('"}', ' [truncated]"}')
    for (const line of keyLines.slice(0, 3)) isGone(line, cutOff)
    expect(redactor.text(JSON.stringify({ k: `${keyBlock.join('\n')}\n` }))).toBe('{"k":"[redacted]"}')
    const putty = `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 1\n${keyLines[0]}\nPrivate-MAC: ${hex.slice(0, 40)}\n`
    isGone(keyLines[0]!, putty)
  })
})

describe('similar texts that are no secrets stay', () => {
  it.each([
    '--- PASS: TestFoo1/case_1',
    'PASS: gdb.ada/x_1.exp',
    '"minipass": "^7.0.4"',
    '"secretlint-rule-1password": "13.0.7"',
    'protected secret: Uint8Array;',
    'this.secret = toUint8Array(secret)',
    'auth = HTTPBasicAuth(*auth)',
    'signature: Base64URLString',
    'accessToken: AccessTokenV2',
    'password = result.groups?.password',
    'pass = !this.result.issues',
    'arn:aws:sqs:us-east-1:000000000000:orders',
    'Learn_more_Try_npm_i_save_dev_types_node_22_if_it_exists',
    'export { awsExpectUnion, AwsEc2QueryProtocol, AwsJson1_0Protocol }',
    '_DD_SIGNATURE = 0x08074b50',
    'password = password.encode("utf-8")',
    'password = password.encode("latin1")',
    'CHALLENGE_PASSWORD = ObjectIdentifier("1.2.840.113549.1.9.7")',
    "longopt_pat = r'[a-zA-Z](?:[a-zA-Z0-9-]*)'",
    'Authorization: Bearer token123',
    'pino-http-send -u http://localhost:8080/logs',
    '//# sourceMappingURL=data:application/json;base64,eyJzb3VyY2VzIjpbIi9zb21lL...',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'password: "Must have at least 8 characters!"',
    'DB_PASSWORD=$DB_PASSWORD',
    'DB_PASSWORD="%DB_PASSWORD%"',
  ])('%s', (text) => {
    expect(findSecrets(text)).toBeUndefined()
  })
})
