import { parseConditions } from '../patterns/argument-condition.js'
import { parseHostPattern } from '../patterns/host-pattern.js'
import { parsePathPattern } from '../patterns/path-pattern.js'
import { splitSpecifier } from './read-specifier.js'
import type { Rule } from './rule.js'

/** What is wrong with a specifier for any tool; other problems show when the tool is known. */
export function checkSpecifier(rule: Rule): string | undefined {
  const problem = problemIn(rule)
  return problem === undefined ? undefined : `cannot be read: ${problem}`
}

function problemIn({ tool, specifier, base }: Rule): string | undefined {
  if (specifier === undefined) return undefined
  const { prefix, rest } = splitSpecifier(specifier)
  switch (prefix ?? (isPathTool(tool) ? 'path' : undefined)) {
    case 'domain':
      return parseHostPattern(rest)
        ? undefined
        : `"${rest}" is no domain such as example.com or *.example.com`
    case 'path': {
      const parsed = parsePathPattern(rest, { base, home: '/' })
      return parsed.ok ? undefined : parsed.problem
    }
    case 'arg': {
      const parsed = parseConditions(rest)
      return parsed.ok ? undefined : parsed.problem
    }
    case 'command':
    case 'url':
    case 'operation':
      return rest === '' ? `nothing follows "${prefix}:"` : undefined
    case undefined:
      return undefined
  }
}

const isPathTool = (tool: string): boolean => /^(?:Read|Edit|Write|files\.)/.test(tool)
