import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContentKind } from '../../../src/results/previews/content-kind.js'
import { detectKind } from '../../../src/results/previews/detection/detect-kind.js'
import type { KindHints } from '../../../src/results/previews/detection/kind-hints.js'
import * as outputs from './outputs.js'

describe('the kind of a text', () => {
  it.each<[keyof typeof outputs, ContentKind]>([
    ['npmTest', 'log'],
    ['serverLog', 'log'],
    ['pythonTrace', 'log'],
    ['javaTrace', 'log'],
    ['goPanic', 'log'],
    ['gitDiff', 'diff'],
    ['lsRecursive', 'listing'],
    ['findOutput', 'listing'],
    ['grepOutput', 'listing'],
    ['psAux', 'table'],
    ['csv', 'table'],
    ['markdownTable', 'table'],
    ['apiAnswer', 'json'],
    ['jsonLines', 'json_lines'],
    ['source', 'code'],
    ['page', 'markup'],
  ])('is detected from the text: %s is %s', (name, kind) => {
    expect(detectKind(outputs[name] as string)).toBe(kind)
  })

  const words = 'some words\nof a text\nwithout any sign'
  it.each<[KindHints, ContentKind]>([
    [{ mediaType: 'application/vnd.api+json; charset=utf-8' }, 'json'],
    [{ mediaType: 'text/csv' }, 'table'],
    [{ mediaType: 'text/plain' }, 'text'],
    [{ mediaType: 'image/png' }, 'binary'],
    [{ blockType: 'diff' }, 'diff'],
    [{ blockType: 'log' }, 'log'],
    [{ name: 'src/a.rs' }, 'code'],
    [{ name: 'data.ndjson' }, 'json_lines'],
    [{ command: 'cd x && sudo ls -la /tmp | head -50' }, 'listing'],
    [{ command: 'CI=1 npx vitest run' }, 'log'],
    [{ command: 'git diff HEAD~3' }, 'diff'],
    [{ command: 'git log --oneline' }, 'text'],
    [{ command: 'cat "src/main.go"' }, 'code'],
    [{ command: 'ps aux | sort' }, 'table'],
    [{ command: 'unheard-of --flag' }, 'log'],
    [{ exitCode: 1 }, 'log'],
    [{}, 'text'],
  ])('is detected from %j: %s', (hints, kind) => {
    expect(detectKind(words, hints)).toBe(kind)
  })

  it('is that of the text, where a command suggests another', () => {
    expect(detectKind(outputs.apiAnswer, { command: 'npm run report' })).toBe('json')
    expect(detectKind(outputs.jsonLines, { name: 'server.log' })).toBe('json_lines')
    expect(detectKind('a,b\n'.repeat(9) + 'x', { command: 'find .' })).toBe('listing')
  })

  it('is never JSON for a log that begins with a bracket', () => {
    expect(detectKind('[INFO] started\n[INFO] going on\n[WARN] slow\n[INFO] done\n')).toBe('log')
    expect(detectKind('[2026-03-02 10:00:00] started\n'.repeat(5))).toBe('log')
  })

  it('is prose where a text has commas like prose', () => {
    const prose =
      'It rained, and it went on.\nNobody, as it seems, cared much.\nLater, the sun came out.\nAll was well.\n'
    expect(detectKind(prose)).toBe('text')
  })

  it('is prose where a text mentions errors, and a log where it reports one', () => {
    const prose =
      '# Errors\n\nAn error ends the call.\n\n- A failure is data.\n- Nothing is thrown.\n'.repeat(9)
    expect(detectKind(prose)).toBe('text')
    expect(detectKind(`${'copied one more\n'.repeat(40)}cp: cannot open a: Permission denied\n`)).toBe('log')
  })

  it('is deterministic for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(detectKind(text)).toBe(detectKind(text))
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
