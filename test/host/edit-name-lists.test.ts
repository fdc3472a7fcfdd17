import { describe, expect, test } from 'vitest'
import { editEntriesText } from '../../src/host/sources/edit-entries-text.js'

const edit = async (text: string, path: string, change: object) =>
  (await editEntriesText(text, path, { key: 'builtins', ...change })).text

describe('entries that can be a list of names', () => {
  test('a config without them gets a list', async () => {
    const put = { files: {}, shell: {} }
    expect(await edit('', 'toolcrib.yaml', { put })).toBe('builtins: [files, shell]\n')
    expect(await edit('timeoutMs: 5 # kept', 'toolcrib.yaml', { put })).toBe(
      'timeoutMs: 5 # kept\nbuiltins: [files, shell]\n',
    )
    expect(JSON.parse(await edit('{"timeoutMs": 5}', 'toolcrib.json', { put }))).toEqual({
      timeoutMs: 5,
      builtins: ['files', 'shell'],
    })
  })

  test('a list grows and shrinks; comments stay', async () => {
    const text = '# first\nbuiltins: [files] # sets\ntimeoutMs: 5 # kept\n'
    const grown = await edit(text, 'toolcrib.yaml', { put: { shell: {}, files: {} } })
    expect(grown).toContain('builtins: [files, shell]')
    expect(grown).toContain('# first')
    expect(grown).toContain('# kept')
    expect(await edit(grown, 'toolcrib.yaml', { remove: ['files'] })).toContain('builtins: [shell]')
    expect(JSON.parse(await edit('{"builtins": ["files"]}', 'toolcrib.json', { put: { code: {} } }))).toEqual(
      {
        builtins: ['files', 'code'],
      },
    )
  })

  test('an entry with settings makes an object of a list', async () => {
    const put = { shell: { sandbox: 'required' } }
    expect(await edit('builtins: [files]\n', 'toolcrib.yaml', { put })).toBe(
      'builtins:\n  files: {}\n  shell:\n    sandbox: required\n',
    )
  })

  test('an object stays one', async () => {
    const text = 'builtins:\n  files: { trash: false } # mine\n'
    expect(await edit(text, 'toolcrib.yaml', { put: { shell: {} } })).toBe(
      'builtins:\n  files: { trash: false } # mine\n  shell: {}\n',
    )
  })
})
