import { fileURLToPath } from 'node:url'
import type { Program } from './clients/client.js'

// The same number of floors from src/ and from dist/.
const BIN = fileURLToPath(new URL('../../../bin/toolcrib.js', import.meta.url))

/** This program as another one starts it. Clients with a window know no PATH of a shell, so that both are written out. */
export function ownProgram(args: readonly string[]): Program {
  // What npx unpacked is gone some day; npx finds it again.
  if (/[\\/]_npx[\\/]/.test(BIN)) return { command: 'npx', args: ['-y', 'toolcrib', ...args] }
  return { command: process.execPath, args: [BIN, ...args] }
}
