import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.js'

const redactor = createRedactor({ patterns: true })
const SECRET = 'q7/Zp+T4x=Wn82'
const DRAWN = 'k3J9xQ2mV8tR5wZ1'

describe('a secret that was found once', () => {
  it.each([
    ['as it is', SECRET],
    ['with slashes escaped', String.raw`q7\/Zp+T4x=Wn82`],
    ['with signs as numbers', String.raw`q7\u002fZp\u002BT4x\u003dWn82`],
    ['escaped twice', String.raw`q7\\/Zp\\u002bT4x=Wn82`],
    ['in an address', 'q7%2FZp%2BT4x%3DWn82'],
    ['in an address, in small letters', 'q7%2fZp%2bT4x%3dWn82'],
    ['with some of its signs escaped', 'q7/Zp%2bT4x%3DWn82'],
    ['in markup', 'q7&#x2F;Zp&#43;T4x&equals;Wn82'],
    ['in Base64', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['in Base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ])('is hidden where it comes again: %s', (_, again) => {
    expect(redactor.text(`password=${SECRET}\nok\nsent <${again}> on\n`)).toBe(
      'password=[redacted]\nok\nsent <[redacted]> on\n',
    )
    expect(redactor.text(`sent <${again}> on\npassword=${SECRET}\n`)).toBe(
      'sent <[redacted]> on\npassword=[redacted]\n',
    )
  })

  it('is masked in plain where it was found encoded', () => {
    const basic = Buffer.from(`ada:${DRAWN}`).toString('base64')
    expect(redactor.text(`Authorization: Basic ${basic}\nada has ${DRAWN}`)).not.toContain(DRAWN)
  })

  it('is masked in all of a value, and before and after a part of a long text', () => {
    expect(redactor.value({ first: `x ${DRAWN}`, login: { password: DRAWN }, last: [DRAWN] })).toEqual({
      first: 'x [redacted]',
      login: { password: '[redacted]' },
      last: ['[redacted]'],
    })
    const long = 'nothing here\n'.repeat(8000)
    expect(redactor.text(`${DRAWN}\n${long}token=${DRAWN}\n${long}${DRAWN}\n`)).toBe(
      `[redacted]\n${long}token=[redacted]\n${long}[redacted]\n`,
    )
  })

  it('is masked in a stream from then on', () => {
    const stream = redactor.stream()
    const pieces = [
      `before ${DRAWN}\n`,
      `token=${DRAWN}\n`,
      `after ${DRAWN.slice(0, 5)}`,
      `${DRAWN.slice(5)}\n`,
    ]
    expect(pieces.map((piece) => stream.push(piece)).join('') + stream.end()).toBe(
      `before ${DRAWN}\ntoken=[redacted]\nafter [redacted]\n`,
    )
  })

  it.each(['localhost', 'password', 'admin', 'true', '123456'])('stays where it is a word: %s', (word) => {
    expect(redactor.text(`DB_PASSWORD="${word}"\nthe ${word} of it`)).toContain(`the ${word} of it`)
  })

  it('is forgotten with the next text', () => {
    redactor.text(`password=${SECRET}`)
    expect(redactor.text(`note ${SECRET}`)).toBe(`note ${SECRET}`)
  })
})

describe('secrets that only words and positions name', () => {
  it.each([
    [`token - '${DRAWN}'`],
    [`API key -> ${DRAWN}`],
    [`secret → ${DRAWN}`],
    [`The password is ${DRAWN}.`],
    [`I set the access token to ${DRAWN} yesterday.`],
    [`Use '${DRAWN}' as the API key.`],
    [`The passphrase was changed from old to "${DRAWN}".`],
    [`Log in as ada with password ${DRAWN}`],
    [`Das Passwort lautet ${DRAWN}`],
    [`mot de passe : ${DRAWN}`],
    [`Your token:\n\n    ${DRAWN}\n\nKeep it.`],
    [`<dt>API key</dt><dd>${DRAWN}</dd>`],
    [`<Setting Name="Token">\n  <Value>${DRAWN}</Value>\n</Setting>`],
    [`<Password>\n  ${DRAWN}\n</Password>`],
    [`token: &shared ${DRAWN}\nother: x`],
    [`::add-mask::${DRAWN}`],
    [`echo '${DRAWN}' | sudo -S true`],
    [`echo "ada:${DRAWN}" | chpasswd`],
    [`Content-Disposition: form-data; name="password"\r\n\r\n${DRAWN}\r\n--b`],
    [`snmp-server community ${DRAWN} RO`],
    [`enable secret 0 ${DRAWN}`],
    [`db.internal:5432:shop:app:${DRAWN}`],
    [`app:${DRAWN}@tcp(db:3306)/shop`],
    [`net user ada ${DRAWN} /add`],
    [`htpasswd -b .htpasswd ada ${DRAWN}`],
    [`7z x -p${DRAWN} a.7z`],
    [`gh secret set DEPLOY --body "${DRAWN}"`],
    [`$p = ConvertTo-SecureString "${DRAWN}" -AsPlainText -Force`],
    [`sqlplus app/${DRAWN}@db:1521/ORCL`],
    [`<meta name="csrf-token" content="${DRAWN}">`],
    [`<add value="${DRAWN}" key="ApiKey" />`],
    [`https://app.example.com/cb?code=${DRAWN}&state=x`],
    [`INSERT INTO users (name, password) VALUES ('ada', '${DRAWN}');`],
    [`kubectl create secret generic a --from-literal=any=${DRAWN}`],
  ])('is hidden: %s', (text) => {
    expect(redactor.text(text)).toBe(text.replaceAll(DRAWN, '[redacted]'))
  })

  it.each([
    'The token is valid for one hour. The password is stored as a hash.',
    'Password - a word that only you know. Token -> a piece of text.',
    'Log in as admin with password authentication enabled in release 2.',
    'Set the token to a random value before step 3.',
    'invalid token "}" at position 12',
    '<dt>Password</dt><dd>At least 8 characters</dd>',
    'echo "ready" | tee log.txt',
    "INSERT INTO users (name, password_hint) VALUES ('ada', 'blue');",
    'const error = { code: "ERR_INVALID_ARG_TYPE_2", content: "a1b2" }',
    'The community edition 2024 has a key of 3 parts.',
  ])('is no secret: %s', (text) => {
    expect(redactor.text(text)).toBe(text)
  })
})

describe('published tokens that are glued to a word', () => {
  const letters = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5f'
  it.each([
    `ghp_${letters.slice(0, 36)}`,
    `glpat-${letters.slice(0, 20)}`,
    'AKIAABCDEFGH23456723',
    `AIza${letters.slice(0, 35)}`,
    `npm_${letters.slice(0, 36)}`,
  ])('%s', (token) => {
    const clean = redactor.text(`x${token} token${token} 2025${token} /tmp/run_${token}.log`)
    expect(clean).not.toContain(token.slice(-8))
    expect(clean).toMatch(/^x\[redacted\] token\[redacted\] /)
  })

  it('words and Base64 stay', () => {
    const clean = `task_live_update_of_things my-private-api-key-name ${'QUtJQUFLSUFBS0lBQUtJQUFLSUE'.repeat(3)}`
    expect(redactor.text(clean)).toBe(clean)
  })
})

// Each of these was read again from every word of it. The size is that of a request that a caller may send.
it.each(['a/', 'eyJ', 'a=eyJ', 'PuTTYxoxb-', 'secret'])('a long text of %s is read once', (word) => {
  const text = word.repeat(Math.ceil(2_000_000 / word.length))
  const token = `ghp_${'aB3dE5fG7h'.repeat(3)}123456`
  const redacted = redactor.text(`${text} ${token} x`)
  expect(redacted.startsWith(text)).toBe(true)
  expect(redacted.slice(text.length)).toBe(' [redacted] x')
})
