import type { ConfigPath } from '../../platform/config/check-config.js'
import type { ParsedConfigText } from '../../platform/config/parse-config-text.js'
import { isObject } from '../../platform/json/is-object.js'
import type { AgentSettings } from './agent-settings.js'

export type Path = ConfigPath

/** Reads values from settings and notes invalid ones with their line. */
export interface Notes {
  lineOf(path: Path): number
  problem(path: Path, message: string): void
  ignore(path: Path): void
  object(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined
  list(value: unknown, path: Path): readonly unknown[]
  /** A non-empty text. */
  text(value: unknown, path: Path): string | undefined
}

export function createNotes(
  { locate }: ParsedConfigText,
  { problems, ignored }: Pick<AgentSettings, 'problems' | 'ignored'>,
): Notes {
  const lineOf = (path: Path): number => locate(path)?.line ?? 1
  const problem = (path: Path, message: string): void => {
    problems.push({ line: lineOf(path), message })
  }
  return {
    lineOf,
    problem,
    ignore(path) {
      ignored.push({ line: lineOf(path), key: nameOf(path) })
    },
    object(value, path) {
      if (isObject(value)) {
        return value as Record<string, unknown>
      }
      problem(path, `${nameOf(path) || 'the file'} must hold an object`)
      return undefined
    },
    list(value, path) {
      if (Array.isArray(value)) return value
      problem(path, `${nameOf(path)} must be a list`)
      return []
    },
    text(value, path) {
      if (typeof value === 'string' && value.trim() !== '') return value
      problem(path, `${nameOf(path)} must be a text that is not empty`)
      return undefined
    },
  }
}

/** `hooks.PreToolUse[0].matcher` */
function nameOf(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
