import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepCompiledCode } from '../../../src/edges/cli/program/keep-compiled-code.js'
import { openTemporaryFolder } from '../../temporary-folder.js'

/** The folders that code is kept in. The API stands for that of Node.js 22: these tests run on Node.js 20, too. */
function keptIn(home: string, workingFolder: string): string[] {
  const kept: string[] = []
  const api = { enableCompileCache: (folder: string) => void kept.push(folder) }
  keepCompiledCode(api, { env: { TOOLCRIB_HOME: home }, workingFolder })
  return kept
}

it('compiled code is kept in the folder of the user', () => {
  const { path, file, remove } = openTemporaryFolder()
  onTestFinished(remove)
  expect(keptIn(path, '/somewhere/else')).toEqual([join(path, 'cache', 'code')])
  expect(keptIn(file('missing'), '/somewhere/else')).toEqual([])
})

it('none is kept where tools may write into that folder, because somebody works there', () => {
  const { path, remove } = openTemporaryFolder()
  onTestFinished(remove)
  expect(keptIn(path, path)).toEqual([])
  expect(keptIn(path, join(path, 'project'))).toEqual([])
})
