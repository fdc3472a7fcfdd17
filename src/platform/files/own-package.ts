import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let folder: string | undefined

/** The folder of this package. Its code lies at another depth in the sources, in the build and in the bundle. */
export function ownPackage(): string {
  folder ??= packageAround(dirname(fileURLToPath(import.meta.url)))
  return folder
}

function packageAround(start: string): string {
  let at = start
  while (!existsSync(join(at, 'package.json'))) {
    const above = dirname(at)
    if (above === at) throw new Error('The package.json of toolcrib is missing; install the package again.')
    at = above
  }
  return at
}

export function ownVersion(): string {
  const manifest = readFileSync(join(ownPackage(), 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
