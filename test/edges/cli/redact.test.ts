import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createDice } from '../../redaction/secret-fixtures.mjs'
import { bin, createPlace } from './run-cli.js'

const secret = createDice(2).draw('abcdefghjkmnpqrstuvwxyzABCDEFGH23456789', 24)

async function filter(input: Buffer, args: readonly string[] = []): Promise<Buffer> {
  const child = spawn(process.execPath, [bin, 'redact', ...args])
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.stdin.end(input)
  await once(child, 'close')
  return Buffer.concat(parts)
}

describe('redact', () => {
  it('passes everything but secrets byte for byte', async () => {
    const clean = Buffer.concat([
      Buffer.from('\ufeffä€😀\r\nno line end \0 '),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82]),
    ])
    expect(await filter(clean)).toEqual(clean)
    const line = Buffer.from(`\napi_key = "${secret}"\r\n`)
    const masked = Buffer.concat([clean, Buffer.from('\napi_key = "[redacted]"\r\n'), clean])
    expect(await filter(Buffer.concat([clean, line, clean]))).toEqual(masked)
  })

  it('masks the text of each line and keeps the rest of the line', async () => {
    const place = createPlace('')
    const input = `{"id": 12345678901234567890, "text": "token: ${secret}"}\nnot JSON\n{"text": 1}\n\n{"text": "fine",  "x": 1.0}`
    const { stdout, stderr, code } = await place.run(['redact', '--jsonl'], { input })
    expect(stdout).toBe(
      '{"id": 12345678901234567890, "text": "token: [redacted]"}\n{"text": "fine",  "x": 1.0}\n',
    )
    expect(stderr.trim().split('\n')).toEqual([
      'Line 2 is not JSON; it must be an object like {"text": "…"}.',
      'Line 3 has no "text" that is a text; it must be an object like {"text": "…"}.',
    ])
    expect(code).toBe(1)
  })

  it('reads files, masks personal data on request and prints how much, never what', async () => {
    const place = createPlace('')
    const file = place.write('notes.txt', `mail a.b@example.org, password=${secret}\n`)
    const { stdout, stderr, code } = await place.run(['redact', file, file, '--pii', 'email', '--summary'])
    expect(stdout).toBe('mail [redacted], password=[redacted]\n'.repeat(2))
    expect(stderr).toBe('Masked 4: 2 email, 2 password_assignment.\n')
    expect(code).toBe(0)
  })

  it('masks the secrets of the environment on request', async () => {
    const place = createPlace('')
    const { stdout } = await place.run(['redact', '--env'], {
      input: 'open sesame now',
      env: { MY_TOKEN: 'open sesame' },
    })
    expect(stdout).toBe('[redacted] now')
  })

  it.each([
    [['redact', '--pii', 'emial'], '--pii does not know "emial"; did you mean "email"?'],
    [['redact', 'nowhere.txt'], 'nowhere.txt cannot be read: there is no such file.'],
    [
      ['redact', 'a text of several words'],
      'redact takes files; to redact a text, pipe it: echo … | toolcrib redact.',
    ],
    [['redact', '.'], '. cannot be read: it is a folder; name a file in it.'],
  ])('%j is refused with a sentence', async (args, sentence) => {
    const { stdout, stderr, code } = await createPlace('').run(args)
    expect([stdout, stderr.trim(), code]).toEqual(['', sentence, 2])
  })

  it('reads stdin for a dash, and removes a byte order mark', async () => {
    const place = createPlace('')
    const given = await place.run(['redact', '-', '--jsonl'], {
      input: `\ufeff{"text": "token: ${secret}"}\n`,
    })
    expect([given.stdout, given.code]).toEqual(['{"text": "token: [redacted]"}\n', 0])
  })

  it('refuses UTF-16, in which no secret would be found', async () => {
    const place = createPlace('')
    const file = place.write('wide.txt', '')
    writeFileSync(file, Buffer.from(`\ufeffpassword=${secret}\n`, 'utf16le'))
    const { stdout, stderr, code } = await place.run(['redact', file])
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toContain('is UTF-16; convert it first')
  })

  it('ends quietly when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [bin, 'redact'])
    child.stdin.on('error', () => {})
    let stderr = ''
    child.stderr.on('data', (part: Buffer) => (stderr += String(part)))
    child.stdin.write('a line of text\n'.repeat(200_000))
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.end('a line of text\n'.repeat(200_000))
    const [code] = (await once(child, 'close')) as [number]
    expect([stderr, code]).toEqual(['', 0])
  })
})
