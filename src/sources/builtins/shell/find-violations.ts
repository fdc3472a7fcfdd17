import { StringDecoder } from 'node:string_decoder'
import type { SandboxViolation } from '../../../platform/sandbox/sandbox.js'
import type { SubCommand } from '../../../shell/shell-reading.js'

/** How programs say that the sandbox prevented something. The system's own texts, in the languages of programs here. */
const SIGNS: readonly [RegExp, SandboxViolation['kind'], string][] = [
  [
    /Read-only file system|EROFS|Nur lesbares Dateisystem|Système de fichiers en lecture seulement/i,
    'write',
    'It tried to write',
  ],
  [
    /Network is unreachable|ENETUNREACH|Temporary failure in name resolution|Could not resolve host|EAI_AGAIN/i,
    'network',
    'It tried to reach another host',
  ],
]

const MAX_VIOLATIONS = 20
const MAX_LINE = 300
const MAX_HELD_CHARS = 10_000

/** Finds what a command says on stderr about things that its sandbox prevented. One that says nothing is not noticed. */
export interface ViolationFinder {
  /** Reads stderr as it comes: of a long output only parts are kept. */
  add(chunk: Buffer): void
  found(): SandboxViolation[]
}

export function createViolationFinder(): ViolationFinder {
  const decoder = new StringDecoder('utf8')
  const found = new Map<string, SandboxViolation>()
  let line = ''
  function look(): void {
    const sign = SIGNS.find(([pattern]) => pattern.test(line))
    if (!sign || found.size >= MAX_VIOLATIONS) return
    const message = `${sign[2]}: ${line.trim().slice(0, MAX_LINE)}`
    found.set(message, { kind: sign[1], message })
  }
  return {
    add(chunk) {
      const [rest = '', ...lines] = decoder.write(chunk).split('\n')
      // The end of a line says why it failed.
      line = (line + rest).slice(-MAX_HELD_CHARS)
      for (const next of lines) {
        look()
        line = next
      }
    },
    found() {
      look()
      return [...found.values()]
    },
  }
}

/** The programs of a command line that may have caused violations: those that speak in them, or else all. */
export function suspectsOf(
  commands: readonly Pick<SubCommand, 'words'>[],
  violations: readonly SandboxViolation[],
): string[] {
  const programs = [...new Set(commands.flatMap(({ words }) => words[0]?.split('/').at(-1) ?? []))]
  const speaking = programs.filter((program) =>
    violations.some(({ message }) => message.includes(`${program}: `) || message.includes(`/${program}: `)),
  )
  return speaking.length > 0 ? speaking : programs
}
