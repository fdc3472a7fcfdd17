import { join } from 'node:path'
import { ownPackage } from '../../foundation/files/own-package.js'
import type { Program } from './clients/client.js'

const BIN = join(ownPackage(), 'bin/toolcrib.js')

/** This program as another one starts it. Clients with a window know no PATH of a shell, so that both are written out. */
export function ownProgram(args: readonly string[]): Program {
  // What npx unpacked is gone some day; npx finds it again.
  if (/[\\/]_npx[\\/]/.test(BIN)) return { command: 'npx', args: ['-y', 'toolcrib', ...args] }
  return { command: process.execPath, args: [BIN, ...args] }
}
