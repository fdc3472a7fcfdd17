import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  compileFolder,
  type CompileOptions,
} from '../../../../src/sources/tool-file/compile/compile-folder.js'
import type { CompiledFolder } from '../../../../src/sources/tool-file/compiled.js'
import { openTemporaryFolder } from '../../../temporary-folder.js'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes files into a new folder; `dispose` removes it. */
export function writeFolder(files: Files): { folder: string; write(files: Files): void; dispose(): void } {
  const { path: folder, file: pathOf, remove } = openTemporaryFolder()
  const write = (texts: Files): void => {
    for (const [file, text] of Object.entries(texts)) {
      mkdirSync(dirname(pathOf(file)), { recursive: true })
      writeFileSync(pathOf(file), text)
    }
  }
  write(files)
  return { folder, write, dispose: remove }
}

/** Compiles files in a folder of their own. */
export async function compileFiles(files: Files, options?: CompileOptions): Promise<CompiledFolder> {
  const { folder, dispose } = writeFolder(files)
  try {
    return await compileFolder(folder, options)
  } finally {
    dispose()
  }
}

/** Each problem as `code file:line:column`. */
export function placesOf({ problems }: Pick<CompiledFolder, 'problems'>): string[] {
  return problems.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)
}
