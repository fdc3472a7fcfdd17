import { join } from 'node:path'
import { ownPackage } from '../../../platform/files/own-package.js'
import type { Program } from '../clients/client.js'

const BIN = join(ownPackage(), 'bin/toolcrib.js')

/** The variables that decide where settings, trust and records are stored. */
const PLACES = ['TOOLCRIB_HOME', 'TOOLCRIB_POLICY', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']

/**
 * The command that starts this program. Desktop clients do not have the PATH of a shell, so that both paths are
 * absolute.
 */
export function ownProgram(args: readonly string[], given: NodeJS.ProcessEnv = process.env): Program {
  // Some clients pass only a few variables: without these, the program would read other settings.
  const places = PLACES.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []))
  const env = places.length > 0 && { env: Object.fromEntries(places) }
  // npx may remove the unpacked package; npx itself finds it again.
  if (/[\\/]_npx[\\/]/.test(BIN)) return { command: 'npx', args: ['-y', 'toolcrib', ...args], ...env }
  return { command: process.execPath, args: [BIN, ...args], ...env }
}
