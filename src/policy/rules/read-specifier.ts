import { parseCommandPattern, type CommandPattern } from '../patterns/command-pattern.js'
import { parseConditions, type ArgumentCondition } from '../patterns/argument-condition.js'
import { parseHostPattern, type HostPattern } from '../patterns/host-pattern.js'
import { parsePathPattern, type PathPattern } from '../patterns/path-pattern.js'
import { toTextTest } from '../patterns/glob-text.js'
import { parseUrlPattern, type UrlPattern } from '../patterns/url-pattern.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/** What a rule's specifier means for one tool. */
export type Specifier =
  | { readonly kind: 'all' }
  | { readonly kind: 'never' }
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'host'; readonly pattern: HostPattern }
  | { readonly kind: 'url'; readonly pattern: UrlPattern }
  | { readonly kind: 'arguments'; readonly conditions: readonly ArgumentCondition[] }

const prefixes = ['command', 'path', 'domain', 'url', 'operation', 'arg'] as const
export type SpecifierPrefix = (typeof prefixes)[number]

/** `domain:example.com` states its kind; without a prefix, the tool's own arguments decide. */
export function splitSpecifier(text: string): { prefix: SpecifierPrefix | undefined; rest: string } {
  const colon = text.indexOf(':')
  const prefix = prefixes.find((each) => each === text.slice(0, Math.max(colon, 0)))
  return prefix ? { prefix, rest: text.slice(colon + 1).trim() } : { prefix: undefined, rest: text }
}

/** A specifier that cannot be applied: a deny or ask then matches every call, an allow none. */
export function readSpecifier(rule: Rule, tool: RuleTool, home: string): Specifier {
  const unclear: Specifier = rule.behavior === 'allow' ? { kind: 'never' } : { kind: 'all' }
  // A bad rule with a readable specifier (only its examples are wrong) still matches what it names.
  if (rule.problem !== undefined && (rule.behavior === 'allow' || rule.specifier === undefined))
    return unclear
  if (rule.specifier === undefined) return { kind: 'all' }
  const { prefix, rest } = splitSpecifier(rule.specifier)
  switch (prefix ?? kindFor(tool, rest)) {
    case 'command': {
      if (!tool.fields.command) return { kind: 'never' }
      const pattern = parseCommandPattern(rest)
      return pattern ? { kind: 'command', pattern } : unclear
    }
    case 'path': {
      const parsed = parsePathPattern(rest, { base: rule.base, home })
      return parsed.ok ? { kind: 'path', pattern: parsed.pattern } : unclear
    }
    case 'domain': {
      const pattern = parseHostPattern(rest)
      return pattern ? { kind: 'host', pattern } : unclear
    }
    case 'url':
      return { kind: 'url', pattern: parseUrlPattern(rest) }
    case 'operation':
      return tool.nativeIds.some(toTextTest(rest)) ? { kind: 'all' } : { kind: 'never' }
    case 'arg': {
      const parsed = parseConditions(rest)
      return parsed.ok ? { kind: 'arguments', conditions: parsed.conditions } : unclear
    }
    case undefined:
      return unclear
  }
}

function kindFor(tool: RuleTool, text: string): SpecifierPrefix | undefined {
  const { fields, nativeIds } = tool
  if (fields.command) return 'command'
  const hasUrls = fields.urls.length > 0 || tool.urlOf !== undefined
  if (hasUrls && /^[a-z*][a-z0-9+.*-]*:\/\//i.test(text)) return 'url'
  if (fields.paths.length > 0 && !looksLikeCondition(text)) return 'path'
  if (parseConditions(text).ok) return 'arg'
  if (nativeIds.some(toTextTest(text))) return 'operation'
  // Paths from the schema come after everything that was declared for the tool.
  if (tool.arguments?.names.hasPaths) return 'path'
  if (!hasUrls) return undefined
  return parseHostPattern(text) ? 'domain' : 'url'
}

/** `amount > 100` beside a path: blanks around a sign are not part of a usual path. */
function looksLikeCondition(text: string): boolean {
  return /\s(?:=|==|!=|<=|>=|<|>|~|in|not in|sha256)\s/.test(text) && parseConditions(text).ok
}
