import { join } from 'node:path'
import { ownPackage } from '../../../platform/files/own-package.js'
import type { Program } from '../clients/client.js'

const BIN = join(ownPackage(), 'bin/toolcrib.js')

/** The variables that decide where settings, trust and records are kept. */
const PLACES = ['TOOLCRIB_HOME', 'TOOLCRIB_POLICY', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']

/** This program as another one starts it. Clients with a window know no PATH of a shell, so that both are written out. */
export function ownProgram(args: readonly string[], given: NodeJS.ProcessEnv = process.env): Program {
  // Some clients start programs with a few variables of their own choice: without these it would read other settings.
  const places = PLACES.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []))
  const env = places.length > 0 && { env: Object.fromEntries(places) }
  // What npx unpacked is gone some day; npx finds it again.
  if (/[\\/]_npx[\\/]/.test(BIN)) return { command: 'npx', args: ['-y', 'toolcrib', ...args], ...env }
  return { command: process.execPath, args: [BIN, ...args], ...env }
}
