import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ownPackage } from './own-package.js'

/**
 * The command that installs packages where this one finds them. A program that was installed for all projects finds only
 * packages that were installed in the same way.
 */
export function installCommand(packages: readonly string[], own = ownPackage()): string {
  return `npm install ${isGlobal(own) ? '-g ' : ''}${packages.join(' ')}`
}

/** A project has a package.json beside its node_modules; the folder of global packages has none. */
function isGlobal(own: string): boolean {
  const around = dirname(own)
  return basename(around) === 'node_modules' && !existsSync(join(dirname(around), 'package.json'))
}
