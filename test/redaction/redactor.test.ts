import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/redaction/find-secrets.js'
import { createLiveSecrets } from '../../src/redaction/live-secrets.js'
import { createRedactor } from '../../src/redaction/redactor.js'
import { secretsOfEnvironment } from '../../src/redaction/secrets-of-environment.js'
import { createDice, tokenFormats } from './secret-fixtures.mjs'

const dice = createDice(1)
const redactor = createRedactor({ patterns: true })
const drawn = (count = 24): string =>
  dice.draw('abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789', count)

describe('known formats', () => {
  it.each(Object.keys(tokenFormats))('%s is found wherever it stands', (name) => {
    const token = tokenFormats[name]!(dice)
    for (const [before, after] of [
      ['', ''],
      ['see ', ', please'],
      ['"', '"'],
      ['\\n', '\\n'],
      ['(', ')'],
    ])
      expect(redactor.text(`${before}${token}${after}`), token).toBe(`${before}[redacted]${after}`)
  })
})

describe('assignments, headers and addresses', () => {
  const secret = drawn()
  it.each([
    `password = "${secret}"`,
    `DB_PASSWORD=${secret}`,
    `"client_secret": "${secret}"`,
    `<apiKey>${secret}</apiKey>`,
    `<add key="Password" value="${secret}"/>`,
    `define('DB_PASSWORD', '${secret}');`,
    `Authorization: Bearer ${secret}`,
    `"authorization": "Basic ${secret}"`,
    `curl -u admin:${secret} https://example.org`,
    `mysql --password ${secret} -h db`,
    `postgres://app:${secret}@db.example.org/main`,
    `https://${secret}@github.com/a/b.git`,
    `https://example.org/?access_token=${secret}&page=2`,
    `Server=db;Password=${secret};`,
    `{"auths":{"r.example.org":{"auth":"${Buffer.from(`me:${secret}`).toString('base64')}"}}}`,
    `token: |\n  ${secret}\n`,
    `const accessToken =\n  '${secret}'`,
  ])('%s', (text) => {
    const clean = redactor.text(text)
    expect(clean).not.toContain(secret)
    expect(clean).toContain('[redacted]')
    expect(clean.split('[redacted]')[0]).toBe(text.slice(0, clean.indexOf('[redacted]')))
  })

  it('short passwords are found beside a name that says so', () => {
    expect(redactor.text('PASSWORD=hunter2x')).toBe('PASSWORD=[redacted]')
    expect(redactor.text('{"password": "s3cr3t!"}')).toBe('{"password": "[redacted]"}')
  })
})

describe('private keys', () => {
  const body = Array.from({ length: 6 }, () => drawn(64)).join('\n')
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`
  it('are one mask, also indented, in JSON and cut off', () => {
    expect(redactor.text(`a\n${key}\nb`)).toBe('a\n[redacted]\nb')
    expect(redactor.text(JSON.stringify({ key }))).toBe('{"key":"[redacted]"}')
    expect(redactor.text(`a\n${key.slice(0, 200)}`)).toBe('a\n[redacted]')
    expect(redactor.text(key.replace(/^/gm, '    '))).toBe('    [redacted]')
  })

  it('are masked however the stream splits them, and hold nothing back after their end', () => {
    const stream = redactor.stream()
    let clean = ''
    for (const char of `before\n${key}\nafter\n`) clean += stream.push(char)
    expect(clean).toBe('before\n[redacted]\nafter\n')
    expect(stream.end()).toBe('')
  })
})

describe('exact secrets', () => {
  it('are found in plain, in JSON, in URLs and in Base64', () => {
    const exact = createRedactor({ patterns: false })
    const secret = 'pä"ss wörd/1'
    const forms = [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(`user:${secret}`).toString('base64'),
    ]
    for (const form of forms) expect(exact.text(`x ${form} y`, [secret])).toContain('[redacted]')
    expect(exact.text(`${secret}${secret}`, [secret])).toBe('[redacted][redacted]')
  })

  it('are added and removed by their users, longest first', () => {
    const live = createLiveSecrets()
    const guarded = createRedactor({ patterns: false, live })
    const removeFirst = live.add('abcdef')
    const removeSecond = live.add('abcdef')
    live.add('abc')
    live.add('abcdefgh')
    expect(live.list).toEqual(['abcdefgh', 'abcdef'])
    removeFirst()
    removeFirst()
    expect(guarded.text('abcdef')).toBe('[redacted]')
    removeSecond()
    expect(guarded.text('abcdef')).toBe('abcdef')
  })
})

describe('values', () => {
  it('are masked inside, including keys, and never changed', () => {
    const secret = drawn()
    const given = {
      list: [{ note: `token=${secret}` }],
      password: 'hunter2x',
      n: 12_345_678,
      [secret]: 1,
      fine: { a: 1 },
    }
    const clean = redactor.value(given, [secret, '12345678'])
    expect(clean).toEqual({
      list: [{ note: 'token=[redacted]' }],
      password: '[redacted]',
      n: '[redacted]',
      '[redacted]': 1,
      fine: { a: 1 },
    })
    expect(clean.fine).toBe(given.fine)
    expect(given.password).toBe('hunter2x')
  })

  it('are counted by rule', () => {
    const counted: string[] = []
    redactor.value({ api_key: drawn() }, [], { add: (rule) => counted.push(rule) })
    expect(counted).toEqual(['secret_assignment'])
  })
})

describe('personal data', () => {
  it('is masked where the config asks for it', () => {
    const text =
      'a.b@example.org +49 30 1234567, 4111 1111 1111 1111 DE89 3704 0044 0532 0130 00 123-45-6789 10.1.2.3 ::1'
    expect(findSecrets(text)).toBeUndefined()
    const found = findSecrets(text, {
      pii: ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'],
    })
    expect(found?.map(({ rule }) => rule)).toEqual([
      'email',
      'phone',
      'credit_card',
      'iban',
      'us_ssn',
      'ip_address',
    ])
  })

  it('needs a valid checksum', () => {
    const pii = ['credit_card', 'iban'] as const
    expect(findSecrets('4111 1111 1111 1112 DE89 3704 0044 0532 0130 01', { pii })).toBeUndefined()
  })
})

describe('the environment', () => {
  it('returns the values of variables whose names say that they are secret', () => {
    expect(
      secretsOfEnvironment({
        API_TOKEN: 'abcdefgh1',
        DATABASE_URL: 'postgres://u:s3cr%40t-word@db/x',
        SHORT_KEY: 'abc',
        PATH: '/usr/bin:/bin',
        SSH_KEY_PATH: '/home/me/.ssh/id',
        USE_TOKEN: 'true',
        TOKEN_COUNT: '123456789',
        HOME_KEY: '/home/me/key.pem',
      }),
    ).toEqual(['s3cr%40t-word', 's3cr@t-word', 'abcdefgh1'])
  })

  it('returns no words that occur in other texts', () => {
    const values = ['production', 'disabled', 'read-only', 'eu-west-1', 'Password', 'changeme', 'test-token']
    for (const value of values) expect(secretsOfEnvironment({ API_TOKEN: value }), value).toEqual([])
    for (const value of ['swordfish', 'written-out', 'hunter22', 'correct horse'])
      expect(secretsOfEnvironment({ API_TOKEN: value }), value).toEqual([value])
  })
})

describe('a path', () => {
  const folders = [
    '/tmp/toolcrib-zChaZ3',
    '/tmp/tmpgbikk7vu',
    '/var/folders/7y/iqzye8gvol99xqgek4ndbqkaffjs8y/T/rWdnKkzb',
    '/tmp/0ed90a72-0261-418d-bce6-3643c4b03b72',
    '/tmp/NBRfzSE91DzdctJywin2jRYehmb0Wkb9',
    'C:\\Users\\ann\\AppData\\Local\\Temp\\epQjaT0r.tmp',
  ]
  it.each(folders)('is no secret, also as the key of a lock: %s', (folder) => {
    for (const key of [folder, `file:${folder}`, `fs:write:${folder}/a.txt`, `file://${folder}`]) {
      const lock = { resource_locks: [{ key, access: 'write' }] }
      expect(redactor.value(lock)).toBe(lock)
      expect(redactor.text(JSON.stringify(lock))).toBe(JSON.stringify(lock))
    }
  })
})
