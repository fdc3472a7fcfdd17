import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTemporaryFolder } from '../../../temporary-folder.js'
import { dataOf, openFiles, textOf } from './open-files.js'

const isRoot = process.getuid?.() === 0

const FIRST_RULES = { deny: ['Read(**/.env)', 'Read(private/**)'] }

describe('read_file', () => {
  it('[AT-EX-06] reproduces the example of the standard, field by field', async () => {
    const folder = openTemporaryFolder()
    folder.write('notes.md', '# Notes\n\nOne.\n')
    folder.write('.env', 'PASSWORD=a-b-c-d\n')
    const { crib, surface, call } = await openFiles(folder.path)
    const declaration = crib.declaration('local.files.read_file')
    expect(declaration).toMatchObject({
      namespace: 'local.files',
      name: 'read_file',
      tool_kind: 'file_operation',
      capability_refs: ['local_file_read'],
      annotations: { file_roots: [folder.path] },
    })
    const profiles = ['read_file', 'list_files', 'write_file'].map(
      (name) => crib.declaration(`local.files.${name}`)!.permission_profile_ref,
    )
    expect(new Set(profiles).size).toBe(3)
    expect(surface.tools().map(({ toolId }) => toolId)).toContain('local.files.read_file')
    const result = await call('read_file', { path: 'notes.md' })
    expect(result.resource_refs).toEqual([
      expect.objectContaining({
        uri: `file://${folder.file('notes.md')}`,
        media_type: 'text/markdown',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        redaction_state: 'none',
      }),
    ])
    const hidden = await call('read_file', { path: '.env' })
    expect(hidden.summary).toContain('private file')
    expect(JSON.stringify(hidden)).not.toContain('a-b-c-d')
    expect(hidden.resource_refs).toEqual([
      expect.objectContaining({ access: 'protected', redaction_state: 'redacted', media_type: 'text/plain' }),
    ])
  })

  it('summarizes files of a private folder', async () => {
    const folder = openTemporaryFolder()
    folder.write('keys/deep/a.txt', 'the-content\n')
    const { call } = await openFiles(folder.path, { settings: { private: ['keys/**'] } })
    const read = await call('read_file', { path: 'keys/deep/a.txt' })
    expect(dataOf(read)).toMatchObject({ is_private: true })
    const found = await call('search_files', { pattern: 'the-content' })
    expect(JSON.stringify([read, found])).not.toContain('the-content\n')
    expect(dataOf(found)).toMatchObject({ matches: [] })
  })

  it('[AT-PERSIST-04] is not stored again, and is read in pages', async () => {
    const folder = openTemporaryFolder()
    folder.write('long.txt', Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    const { crib, call } = await openFiles(folder.path)
    const first = await call('read_file', { path: 'long.txt' })
    const { next_line, total_lines } = dataOf(first)
    expect(total_lines).toBe(30_000)
    expect(textOf(first)).toContain(`read on with start_line=${String(next_line)}`)
    const story = await crib.story(first.invocation_id)
    expect(JSON.stringify(story)).toContain('never_persist')
    expect(JSON.stringify(story)).not.toContain('line 17')
    const tail = await call('read_file', { path: 'long.txt', start_line: -2, line_numbers: false })
    expect(textOf(tail)).toBe('line 29999\nline 30000')
    const part = await call('read_file', { path: 'long.txt', start_line: 9, line_count: 2 })
    expect(textOf(part)).toContain(' 9\tline 9\n10\tline 10')
    expect((await call('read_file', { path: 'long.txt', start_line: 40_000 })).error?.message).toContain(
      '30000 lines',
    )
  })

  it('keeps to the limit of the surface', async () => {
    const folder = openTemporaryFolder()
    folder.write('long.txt', 'word '.repeat(400).concat('\n').repeat(100))
    const { crib } = await openFiles(folder.path)
    const surface = await crib.surface({ results: { maxInlineChars: 5000 } })
    const result = await crib.call(surface, { name: 'read_file', input: { path: 'long.txt' } })
    expect(textOf(result).length).toBeLessThan(5000)
    expect(dataOf(result)['next_line']).toBeGreaterThan(1)
  })

  const FORMS: readonly (readonly [string, Buffer, string, object])[] = [
    ['UTF-8 with a mark', Buffer.from('\ufeffé\n'), 'é', { encoding: 'utf-8' }],
    [
      'UTF-16 LE',
      Buffer.from('\ufeffé\r\nb', 'utf16le'),
      'é\nb',
      { encoding: 'utf-16le', line_endings: 'crlf' },
    ],
    ['UTF-16 BE', Buffer.from('\ufeffé', 'utf16le').swap16(), 'é', { encoding: 'utf-16be' }],
    ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le'), 'plain words', { encoding: 'utf-16le' }],
    ['Latin-1', Buffer.from('caf\u00e9 cr\u00e8me', 'latin1'), 'café crème', { encoding: 'latin1' }],
    ['CRLF', Buffer.from('a\r\nb\r\n'), 'a\nb', { line_endings: 'crlf', total_lines: 2 }],
    ['no end of the last line', Buffer.from('a\nb'), 'a\nb', { total_lines: 2 }],
    ['nothing', Buffer.alloc(0), 'The file is empty.', { total_lines: 0, size_bytes: 0 }],
  ]
  it.each(FORMS)('reads %s', async (_, bytes, text, facts) => {
    const folder = openTemporaryFolder()
    writeFileSync(folder.file('a.txt'), bytes)
    const { call } = await openFiles(folder.path)
    const result = await call('read_file', { path: 'a.txt', line_numbers: false })
    expect(textOf(result)).toBe(text)
    expect(result.structured_content).toMatchObject(facts)
  })

  it('gives images as images and other bytes as a link', async () => {
    const folder = openTemporaryFolder()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    writeFileSync(folder.file('dot.png'), png)
    writeFileSync(folder.file('data.bin'), Buffer.from([0, 1, 2, 255, 0, 0, 7]))
    const { call } = await openFiles(folder.path)
    const image = await call('read_file', { path: 'dot.png' })
    expect(image.model_facing_content).toContainEqual(
      expect.objectContaining({ type: 'image', media_type: 'image/png', data: png.toString('base64') }),
    )
    const bytes = await call('read_file', { path: 'data.bin' })
    expect(bytes.content).toContainEqual(expect.objectContaining({ type: 'resource_link', size_bytes: 7 }))
    const part = await call('read_file', {
      path: 'data.bin',
      encoding: 'base64',
      start_byte: 3,
      byte_count: 2,
    })
    expect(dataOf(part)).toMatchObject({ text: '/wA=', next_byte: 5 })
  })

  it('answers at once about what is not a file, unreadable or huge', async () => {
    const folder = openTemporaryFolder()
    execFileSync('mkfifo', [folder.file('pipe')])
    const server = createServer().listen(folder.file('socket'))
    folder.write('huge.txt', `start\nsecond\n${'more\n'.repeat(20_000)}`)
    truncateSync(folder.file('huge.txt'), 3_000_000_000)
    folder.write('one-line.txt', 'x'.repeat(3_000_000))
    const { call } = await openFiles(folder.path)
    const problem = async (path: string): Promise<string> =>
      (await call('read_file', { path })).error?.message ?? 'none'
    expect(await problem('pipe')).toContain('is a named pipe; only regular files are used.')
    expect(await problem('socket')).toContain('is a socket')
    expect(await problem('.')).toContain('is a folder; list it instead.')
    expect(await problem('missing.txt')).toContain('There is no ')
    expect(textOf(await call('read_file', { path: 'huge.txt', line_count: 2 }))).toContain('start\n2\tsecond')
    expect(
      (await call('edit_file', { path: 'huge.txt', old_text: 'a', new_text: 'b' })).error?.message,
    ).toContain('64 MB')
    expect(textOf(await call('read_file', { path: 'one-line.txt' }))).toContain(
      'Line 1 is long; all of it starts at start_byte=0',
    )
    const rest = await call('read_file', { path: 'one-line.txt', start_byte: 2_999_990, byte_count: 100 })
    expect(textOf(rest)).toBe('x'.repeat(10))
    server.close()
  })

  if (isRoot) console.warn('The superuser reads every file: closed files are not tested.')
  it.skipIf(isRoot)('says that a file is closed to this user', async () => {
    const folder = openTemporaryFolder()
    folder.write('closed.txt', 'x')
    chmodSync(folder.file('closed.txt'), 0)
    const { call } = await openFiles(folder.path)
    expect((await call('read_file', { path: 'closed.txt' })).error?.message).toContain('does not permit')
  })
})

/** Swaps a folder for a link to the outside and back, until it is ended. */
const SWAPS = `
const { renameSync, rmSync, symlinkSync } = require('node:fs')
process.chdir(process.argv[1])
for (;;) {
  renameSync('ws/sub', 'ws/kept')
  symlinkSync('../outside', 'ws/sub')
  rmSync('ws/sub')
  renameSync('ws/kept', 'ws/sub')
}
`

describe('rules and file tools', () => {
  it('keep denied files out of reads, lists, globs, searches, moves and deletions', async () => {
    const folder = openTemporaryFolder()
    folder.write('.env', 'needle=1\n')
    folder.write('private/a.txt', 'needle\n')
    folder.write('sub/.env', 'needle=2\n')
    folder.write('sub/ok.txt', 'needle\n')
    const { call } = await openFiles(folder.path, { permission: FIRST_RULES })
    for (const path of ['.env', 'private/a.txt', 'sub/../.env'])
      expect(await call('read_file', { path })).toMatchObject({ status: 'denied' })
    expect(dataOf(await call('search_files', { pattern: 'needle' }))).toMatchObject({
      matches: [{ file: 'sub/ok.txt', line: 1, text: 'needle' }],
      left_out: 3,
    })
    expect(dataOf(await call('glob_files', { pattern: '**' }))).toMatchObject({ files: ['sub/ok.txt'] })
    expect(textOf(await call('list_files', { path: 'sub' }))).not.toContain('.env')
    expect((await call('move_file', { from: '.env', to: 'x.txt' })).is_error).toBe(true)
    expect((await call('move_file', { from: 'sub', to: 'other' })).error?.message).toContain(
      'do not let this call touch',
    )
    expect(await call('search_files', { pattern: 'needle', path: '.env' })).toMatchObject({
      status: 'denied',
    })
  })

  it('by the names of coding agents allow, ask and deny these tools', async () => {
    const folder = openTemporaryFolder()
    folder.write('a.txt', 'a\n')
    const { call } = await openFiles(folder.path, {
      permission: {
        mode: 'dontAsk',
        allow: ['Edit(src/**)', 'Write(src/**)'],
        deny: ['Edit(src/locked.txt)'],
      },
    })
    expect((await call('read_file', { path: 'a.txt' })).status).toBe('succeeded')
    expect((await call('write_file', { path: 'src/a.txt', content: 'x' })).status).toBe('succeeded')
    expect((await call('write_file', { path: 'src/locked.txt', content: 'x' })).status).toBe('denied')
    expect((await call('write_file', { path: 'b.txt', content: 'x' })).status).toBe('denied')
    expect((await call('write_file', { path: 'toolcrib.yaml', content: 'x' })).status).toBe('denied')
    expect((await call('delete_file', { path: 'a.txt' })).status).toBe('denied')
  })

  it('a link that is changed after the decision does not change what runs', async () => {
    const folder = openTemporaryFolder()
    folder.write('good.txt', 'good\n')
    folder.write('secret/.env', 'bad\n')
    symlinkSync('good.txt', folder.file('link'))
    const swap = (): { approved: true } => {
      rmSync(folder.file('link'))
      symlinkSync('secret/.env', folder.file('link'))
      return { approved: true }
    }
    const { call } = await openFiles(folder.path, {
      permission: { mode: 'default', ask: ['Read(link)'], deny: ['Read(**/.env)'] },
      approver: swap,
    })
    const result = await call('read_file', { path: 'link', line_numbers: false })
    expect(JSON.stringify(result)).not.toContain('bad')
    expect(readFileSync(folder.file('link'), 'utf8')).toBe('bad\n')
  })

  it('hold while folders are swapped for links during calls', async () => {
    const folder = openTemporaryFolder()
    folder.write('ws/sub/a.txt', 'good\n')
    folder.write('outside/a.txt', 'stolen\n')
    const { call } = await openFiles(folder.file('ws'))
    // In a process of its own: within this one, nothing could happen between opening and checking.
    const swapper = spawn(process.execPath, ['-e', SWAPS, folder.path], { stdio: 'ignore' })
    const ended = once(swapper, 'exit')
    for (let round = 0; round < 300; round++) {
      const read = await call('read_file', { path: 'sub/a.txt' })
      expect(JSON.stringify(read)).not.toContain('stolen')
      await call('write_file', { path: 'sub/new.txt', content: `${round}` })
      expect(JSON.stringify(await call('search_files', { pattern: 'stolen', literal: true }))).not.toContain(
        'stolen\\n',
      )
    }
    swapper.kill()
    await ended
    expect(readFileSync(folder.file('outside/a.txt'), 'utf8')).toBe('stolen\n')
    expect(() => statSync(folder.file('outside/new.txt'))).toThrow()
  })
})

describe('move_file', () => {
  it('gives a private file no name under which it would be shown', async () => {
    const folder = openTemporaryFolder()
    folder.write('.env', 'a=b\n')
    folder.write('keys/a.txt', 'a\n')
    const { call } = await openFiles(folder.path, { settings: { private: ['.env', '*.pem', 'keys/**'] } })
    const moved = await call('move_file', { from: '.env', to: 'notes.txt' })
    expect(moved.error?.message).toContain('is private, and')
    expect((await call('move_file', { from: 'keys/a.txt', to: 'a.txt' })).status).toBe('failed')
    expect((await call('move_file', { from: 'keys', to: 'open' })).status).toBe('failed')
    expect((await call('move_file', { from: '.env', to: 'old/.env' })).status).toBe('succeeded')
    expect((await call('move_file', { from: 'keys/a.txt', to: 'a.pem' })).status).toBe('succeeded')
  })
})

describe('write_file and edit_file', () => {
  it('tell nothing of a file that a rule keeps from being read', async () => {
    const folder = openTemporaryFolder()
    folder.write('secrets.txt', 'one\nthe-content\nthree\n')
    const { call } = await openFiles(folder.path, {
      permission: { deny: ['Read(secrets.txt)'], allow: ['Edit(**)'] },
    })
    const edited = await call('edit_file', { path: 'secrets.txt', old_text: 'one', new_text: 'two' })
    expect(edited.status).toBe('denied')
    const guessed = await call('edit_file', { path: 'secrets.txt', old_text: 'the-', new_text: 'a-' })
    expect(guessed.error?.message).toBe(edited.error?.message)
    const written = await call('write_file', { path: 'secrets.txt', content: 'new\n' })
    expect(written.status).toBe('succeeded')
    expect(JSON.stringify(written)).not.toContain('the-content')
  })

  it('keep mode, encoding, mark and line endings, and give the difference', async () => {
    const folder = openTemporaryFolder()
    writeFileSync(folder.file('a.sh'), Buffer.from('\ufeffone\r\ntwo\r\nthree\r\n', 'utf16le'))
    chmodSync(folder.file('a.sh'), 0o754)
    const { call } = await openFiles(folder.path)
    const edited = await call('edit_file', { path: 'a.sh', old_text: 'two\nthree', new_text: '2\n3' })
    expect(readFileSync(folder.file('a.sh')).toString('utf16le')).toBe('\ufeffone\r\n2\r\n3\r\n')
    expect(statSync(folder.file('a.sh')).mode & 0o777).toBe(0o754)
    expect(edited.content).toContainEqual(
      expect.objectContaining({
        type: 'diff',
        text: '--- a/a.sh\n+++ b/a.sh\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n',
      }),
    )
    const { before_digest, after_digest } = dataOf(edited)
    expect(before_digest).not.toBe(after_digest)
    const written = await call('write_file', { path: 'a.sh', content: 'x\ny\n' })
    expect(dataOf(written)).toMatchObject({
      before_digest: after_digest,
      encoding: 'utf-16le',
      action: 'changed',
    })
    expect(readFileSync(folder.file('a.sh')).toString('utf16le')).toBe('\ufeffx\r\ny\r\n')
  })

  it('refuse what is stale, ambiguous or changed since it was read', async () => {
    const folder = openTemporaryFolder()
    folder.write('a.txt', 'one\none\n  two  words\n')
    const { call } = await openFiles(folder.path)
    const edit = async (input: object) =>
      (await call('edit_file', { path: 'a.txt', new_text: 'x', ...input })).error?.message
    expect(await edit({ old_text: 'three' })).toContain('is not in ')
    expect(await edit({ old_text: 'two words' })).toContain('Line 3 differs from it only in white space.')
    expect(await edit({ old_text: 'one' })).toContain('occurs 2 times')
    expect(await edit({ old_text: 'two', expected_digest: 'sha256:0' })).toContain('read it again')
    await call('read_file', { path: 'a.txt' })
    folder.write('a.txt', 'one\nother\n')
    expect(await edit({ old_text: 'one' })).toContain('was changed since it was read here')
    expect((await call('write_file', { path: 'a.txt', content: '' })).is_error).toBe(true)
    await call('read_file', { path: 'a.txt' })
    expect(await edit({ old_text: 'one' })).toBeUndefined()
    expect(await edit({ old_text: 'x', new_text: 'y', replace_all: true })).toBeUndefined()
    expect(readFileSync(folder.file('a.txt'), 'utf8')).toBe('y\nother\n')
  })
})

describe('delete_file and restore_file', () => {
  it('bring back a file and a folder by the call that the result names', async () => {
    const folder = openTemporaryFolder()
    folder.write('a.txt', 'a\n')
    folder.write('sub/deep/b.txt', 'b\n')
    const { crib, surface, call } = await openFiles(folder.path)
    expect((await call('delete_file', { path: 'sub' })).error?.message).toContain('set recursive')
    for (const input of [{ path: 'a.txt' }, { path: 'sub', recursive: true }]) {
      const { restore } = dataOf(await call('delete_file', input)) as {
        restore: { tool: string; input: object }
      }
      expect((await call('read_file', { path: input.path })).is_error).toBe(true)
      const restored = await crib.call(surface, { name: restore.tool, input: restore.input })
      expect(restored.is_error).toBeFalsy()
      expect((await call('restore_file', { path: input.path })).is_error).toBe(true)
    }
    expect(readFileSync(folder.file('a.txt'), 'utf8')).toBe('a\n')
    expect(readFileSync(folder.file('sub/deep/b.txt'), 'utf8')).toBe('b\n')
  })

  it('delete for good where the settings say so', async () => {
    const folder = openTemporaryFolder()
    folder.write('a.txt', 'a\n')
    const { crib, call } = await openFiles(folder.path, { settings: { trash: false } })
    expect(textOf(await call('delete_file', { path: 'a.txt' }))).toContain('for good')
    expect(crib.declaration('local.files.restore_file')).toBeUndefined()
  })
})

describe('large folders', () => {
  it('are listed and searched in bounded steps', async () => {
    const folder = openTemporaryFolder()
    mkdirSync(folder.file('many'))
    execFileSync('sh', ['-c', 'seq 0 99999 | xargs touch'], { cwd: folder.file('many') })
    let deep = folder.path
    for (let depth = 0; depth < 250; depth++) mkdirSync((deep = join(deep, 'd')))
    const { call } = await openFiles(folder.path)
    const listed = dataOf(await call('list_files', { path: 'many', limit: 3 }))
    expect(listed).toMatchObject({
      total: 100_000,
      next_after: '10',
      entries: [{ name: '0' }, { name: '1' }, { name: '10' }],
    })
    expect(dataOf(await call('glob_files', { pattern: '99999' }))).toMatchObject({ files: ['many/99999'] })
    execFileSync('rm', ['-rf', folder.path])
  }, 120_000)
})
