import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** In order of precedence when one folder has several. */
export const configFileNames = [
  'toolcrib.yaml',
  'toolcrib.yml',
  'toolcrib.json',
  'toolcrib.config.ts',
  'toolcrib.config.mts',
  'toolcrib.config.js',
  'toolcrib.config.mjs',
] as const

/** The nearest config file, from the folder upward to the root. */
export function findConfig(from: string): string | undefined {
  let folder = resolve(from)
  for (;;) {
    for (const name of configFileNames) {
      const path = join(folder, name)
      if (isFile(path)) return path
    }
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false // a parent folder that cannot be read has no config for us
  }
}
