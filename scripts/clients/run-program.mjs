import { execFile } from 'node:child_process'

const PROGRAM_MS = 180_000
const MAX_BYTES = 16 * 1024 * 1024

/** Runs a client that is a program to its end: its exit code and all that it printed. */
export function runProgram(program, args, { env, cwd }) {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { env, cwd, timeout: PROGRAM_MS, maxBuffer: MAX_BYTES },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : (error.code ?? error.signal ?? 1)
        resolve({ code, stdout, stderr, text: `${stdout}${stderr}` })
      },
    )
    child.stdin.end()
  })
}
