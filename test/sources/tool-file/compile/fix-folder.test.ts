import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyFixes, fixFolder } from '../../../../src/sources/tool-file/compile/fix-folder.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { completeTool } from './valid-files.js'

const problemWith = (fix: { start: number; end: number; text: string }) => ({
  code: 'aml/wrong-type',
  level: 'error' as const,
  message: 'Wrong.',
  file: 'tools/a.tool.md',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  fix: { title: 'Mend it', ...fix },
})

describe('fixes of one text', () => {
  it('are applied together where they do not overlap', () => {
    const fixes = [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 1, text: 'first' },
      { start: 6, end: 6, text: '!' },
    ].map(problemWith)
    expect(applyFixes('abcdef', fixes).text).toBe('firstbcdEf!')
  })

  it('of overlapping ones the first is applied, and of insertions at one position too', () => {
    const fixes = [
      { start: 0, end: 3, text: 'X' },
      { start: 2, end: 4, text: 'Y' },
      { start: 5, end: 5, text: '1' },
      { start: 5, end: 5, text: '2' },
    ].map(problemWith)
    const { text, applied } = applyFixes('abcdef', fixes)
    expect({ text, count: applied.length }).toEqual({ text: 'Xde1f', count: 2 })
  })
})

function folderWith(text: string): { folder: string; file: string } {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'tools'))
  const file = join(folder, 'tools/complete-example.tool.md')
  writeFileSync(file, text)
  return { folder, file }
}

describe('fixes of a folder', () => {
  it('keep line ends, comments and everything else of a file', async () => {
    const windows = completeTool.replaceAll('\n', '\r\n')
    const broken = `\uFEFF${windows.replace('type: "action"', 'type: "acton" # what it is')}`
    const { folder, file } = folderWith(broken)
    const { fixes } = await fixFolder(folder)
    expect(fixes.map(({ code }) => code)).toEqual(['aml/byte-order-mark', 'aml/invalid-type'])
    expect(readFileSync(file, 'utf8')).toBe(windows.replace('type: "action"', 'type: "action" # what it is'))
  })

  it('a folder without problems is not written', async () => {
    const { folder, file } = folderWith(completeTool)
    const before = readFileSync(file)
    expect((await fixFolder(folder)).fixes).toEqual([])
    expect(readFileSync(file)).toEqual(before)
  })
})
